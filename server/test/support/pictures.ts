// Small pictures for tests. It shares nothing with the reader.

import { crc32, deflateSync } from "node:zlib";

type PngOf = {
  width: number;
  height: number;
  /** As PNG numbers them: 0 gray, 2 RGB, 3 palette, 4 gray and alpha, 6 RGB and alpha. */
  color: number;
  pixel: (x: number, y: number) => readonly number[];
  filter?: number;
  depth?: number;
  parts?: Record<string, Uint8Array>;
  /** Instead of the pixels. */
  data?: Uint8Array;
};

export function pngOf({
  width,
  height,
  color,
  pixel,
  filter = 0,
  depth = 8,
  parts = {},
  data,
}: PngOf): Buffer {
  const rows = Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => pixel(x, y)).flat(),
  );
  const channels = (rows[0]?.length ?? 0) / width;
  const lines = rows.flatMap((row, y) => [
    filter,
    ...row.map((value, at) => {
      const a = at >= channels ? (row[at - channels] ?? 0) : 0;
      const b = rows[y - 1]?.[at] ?? 0;
      const c = at >= channels ? (rows[y - 1]?.[at - channels] ?? 0) : 0;
      return (value - predicted(filter, a, b, c)) & 0xff;
    }),
  ]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, color, 0, 0, 0], 8);
  const all = { IHDR: header, ...parts, IDAT: deflateSync(data ?? Buffer.from(lines)), IEND: "" };
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    ...Object.entries(all).map(([type, part]) => chunk(type, Buffer.from(part))),
  ]);
}

function predicted(filter: number, a: number, b: number, c: number): number {
  if (filter < 4) return [0, a, b, Math.floor((a + b) / 2)][filter] ?? 0;
  const nearest = [a, b, c].map((one) => Math.abs(a + b - c - one));
  return [a, b, c][nearest.indexOf(Math.min(...nearest))] ?? 0;
}

function chunk(type: string, part: Buffer): Buffer {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(part.length);
  const body = Buffer.concat([Buffer.from(type), part]);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** Its head is whole; its pixels are none. */
export function jpegOf({
  width,
  height,
  components = 3,
  comment,
}: {
  width: number;
  height: number;
  components?: number;
  comment?: string;
}): Buffer {
  const segment = (marker: number, body: Buffer) => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(body.length + 2, 2);
    return Buffer.concat([head, body]);
  };
  const size = Buffer.from([8, 0, 0, 0, 0, components]);
  size.writeUInt16BE(height, 1);
  size.writeUInt16BE(width, 3);
  const each = Array.from({ length: components }, (_, index) => [index + 1, 0x11, 0]).flat();
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...(comment ? [segment(0xe1, Buffer.from(comment)), segment(0xfe, Buffer.from(comment))] : []),
    segment(0xc0, Buffer.concat([size, Buffer.from(each)])),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0x12, 0x34, 0xff, 0xd9]),
  ]);
}
