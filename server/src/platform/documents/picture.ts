// Checks a small PNG or JPEG picture and writes it as a document needs it: only the pixels. What else the file carries, such as
// the place where a photo was taken, is left out. Pure.

import { crc32, deflateSync, inflateSync } from "node:zlib";

export const pictureLimits = { bytesMax: 200_000, pixelsMin: 8, pixelsMax: 1_200 } as const;

export type Picture = { type: "image/png" | "image/jpeg"; bytes: Uint8Array };

/** The picture, or what is wrong with it. */
export function readPicture(file: Uint8Array): Picture | { problem: string } {
  const { bytesMax, pixelsMin, pixelsMax } = pictureLimits;
  if (file.length > bytesMax) return { problem: `It has more than ${bytesMax / 1000} kB` };
  const bytes = Buffer.from(file);
  if (bytes.length < 12) return notOne;
  const isPng = bytes.subarray(0, 8).equals(pngStart);
  if (!isPng && bytes.readUInt16BE(0) !== 0xffd8) return notOne;
  try {
    return isPng ? readPng(bytes) : readJpeg(bytes);
  } catch (error) {
    if (error instanceof PictureError) return { problem: error.message };
    // Lengths that lead outside of the file, or data that can't be unpacked.
    return { problem: "The file is damaged" };
  }

  function requireSize(width: number, height: number): void {
    const fits = (side: number) => side >= pixelsMin && side <= pixelsMax;
    if (fits(width) && fits(height)) return;
    throw new PictureError(
      `It is ${width} × ${height} pixels; each side needs ${pixelsMin} to ${pixelsMax}`,
    );
  }

  function readPng(png: Buffer): Picture {
    const none: Buffer = Buffer.alloc(0);
    const parts = { header: none, palette: none, clear: none };
    const data: Buffer[] = [];
    for (let at = 8; at < png.length; ) {
      const length = png.readUInt32BE(at);
      const type = png.toString("latin1", at + 4, at + 8);
      const end = at + 12 + length;
      if (png.readUInt32BE(end - 4) !== crc32(png.subarray(at + 4, end - 4))) throw damaged();
      const part = png.subarray(at + 8, end - 4);
      if (type === "IHDR") parts.header = part;
      else if (type === "PLTE") parts.palette = part;
      else if (type === "tRNS") parts.clear = part;
      else if (type === "IDAT") data.push(part);
      else if (type === "IEND") break;
      at = end;
    }
    const [width, height] = [parts.header.readUInt32BE(0), parts.header.readUInt32BE(4)];
    requireSize(width, height);
    const [depth, color = -1, , , interlace] = parts.header.subarray(8);
    const channels = channelsOf[color];
    if (depth !== 8 || channels === undefined || interlace !== 0) {
      throw new PictureError("Save the PNG with 8 bits per channel, not interlaced");
    }
    const size = (width * channels + 1) * height;
    const lines = inflateSync(Buffer.concat(data), { maxOutputLength: size });
    if (lines.length !== size) throw damaged();
    const pixels = unfiltered(lines, { width, height, channels });
    return { type: "image/png", bytes: onWhite(pixels, { ...parts, color, width, height }) };
  }

  function readJpeg(jpeg: Buffer): Picture {
    const kept: Buffer[] = [jpeg.subarray(0, 2)];
    let isSized = false;
    for (let at = 2; ; ) {
      if (jpeg[at] !== 0xff) throw damaged();
      const marker = jpeg.readUInt8(at + 1);
      const end = at + 2 + jpeg.readUInt16BE(at + 2);
      if (end > jpeg.length) throw damaged();
      if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
        const isUsual = marker <= 0xc2 && jpeg[at + 4] === 8 && [1, 3].includes(jpeg[at + 9] ?? 0);
        if (!isUsual) throw new PictureError("Save the JPEG in RGB or gray with 8 bits");
        requireSize(jpeg.readUInt16BE(at + 7), jpeg.readUInt16BE(at + 5));
        isSized = true;
      }
      // The data of the pixels goes on to the end.
      if (marker === 0xda) {
        const last = jpeg.lastIndexOf(Buffer.from([0xff, 0xd9]));
        if (!isSized || last < end) throw damaged();
        kept.push(jpeg.subarray(at, last + 2));
        return { type: "image/jpeg", bytes: Buffer.concat(kept) };
      }
      const isComment = marker === 0xfe || (marker >= 0xe1 && marker <= 0xef && marker !== 0xee);
      if (!isComment) kept.push(jpeg.subarray(at, end));
      at = end;
    }
  }
}

class PictureError extends Error {}
const damaged = () => new PictureError("The file is damaged");
const notOne = { problem: "It is neither a PNG nor a JPEG picture" };
const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** By color type: gray, RGB, palette, gray and alpha, RGB and alpha. */
const channelsOf: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

type Size = { width: number; height: number };

/** Each line begins with the number of its filter, which says what was taken off each byte. */
function unfiltered(
  lines: Uint8Array,
  { width, height, channels }: Size & { channels: number },
): Uint8Array {
  const length = width * channels;
  const pixels = new Uint8Array(length * height);
  for (let y = 0; y < height; y += 1) {
    const filter = lines[y * (length + 1)] ?? 0;
    if (filter > 4) throw damaged();
    for (let x = 0; x < length; x += 1) {
      const at = y * length + x;
      const left = x >= channels ? (pixels[at - channels] ?? 0) : 0;
      const up = y > 0 ? (pixels[at - length] ?? 0) : 0;
      const upLeft = x >= channels && y > 0 ? (pixels[at - length - channels] ?? 0) : 0;
      const taken = [0, left, up, (left + up) >> 1, paeth(left, up, upLeft)][filter] ?? 0;
      pixels[at] = (lines[y * (length + 1) + 1 + x] ?? 0) + taken;
    }
  }
  return pixels;
}

function paeth(left: number, up: number, upLeft: number): number {
  const guess = left + up - upLeft;
  const [toLeft, toUp, toUpLeft] = [left, up, upLeft].map((one) => Math.abs(guess - one)) as [
    number,
    number,
    number,
  ];
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}

type Colored = Size & { color: number; palette: Uint8Array; clear: Uint8Array };

/** RGB without transparency, on the white of the paper. */
function onWhite(
  pixels: Uint8Array,
  { width, height, color, palette, clear }: Colored,
): Uint8Array {
  const channels = channelsOf[color] ?? 1;
  const lines = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * channels;
      const value = pixels[at] ?? 0;
      if (color === 3 && value * 3 >= palette.length) throw damaged();
      const alpha =
        color === 3 ? (clear[value] ?? 255) : color >= 4 ? (pixels[at + channels - 1] ?? 255) : 255;
      for (let channel = 0; channel < 3; channel += 1) {
        const shade =
          color === 3
            ? (palette[value * 3 + channel] ?? 0)
            : channels < 3
              ? value
              : (pixels[at + channel] ?? 0);
        const mixed = Math.round((shade * alpha + 255 * (255 - alpha)) / 255);
        lines[y * (width * 3 + 1) + 1 + x * 3 + channel] = mixed;
      }
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const parts = { IHDR: header, IDAT: deflateSync(lines), IEND: Buffer.alloc(0) };
  return Buffer.concat([
    pngStart,
    ...Object.entries(parts).map(([type, part]) => chunk(type, part)),
  ]);
}

function chunk(type: string, part: Uint8Array): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(type), part, Buffer.alloc(4)]);
  bytes.writeUInt32BE(part.length, 0);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), bytes.length - 4);
  return bytes;
}
