// Pictures for documents: what is a small PNG or JPEG, and what is left of it.

import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { readPicture } from "../../../src/platform/documents/picture.ts";
import { jpegOf, pngOf } from "../../support/pictures.ts";

const bytesOf = (file: Uint8Array) => {
  const read = readPicture(file);
  if ("problem" in read) throw new Error(read.problem);
  return Buffer.from(read.bytes);
};
const problemOf = (file: Uint8Array) => {
  const read = readPicture(file);
  return "problem" in read ? read.problem : undefined;
};
/** The pixels of a PNG that we wrote: RGB, without filters. */
const pixelsOf = (png: Buffer, width: number) => {
  const at = png.indexOf("IDAT");
  const lines = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  const rows = [];
  for (let start = 0; start < lines.length; start += width * 3 + 1) {
    rows.push([...lines.subarray(start + 1, start + 1 + width * 3)]);
  }
  return rows;
};

test("each filter and color of a PNG is read, and lies on white paper", () => {
  for (const filter of [0, 1, 2, 3, 4]) {
    const png = pngOf({ width: 16, height: 8, color: 2, pixel: (x, y) => [x, y, 200], filter });
    const pixels = pixelsOf(bytesOf(png), 16);
    expect(pixels[5]?.slice(9, 12), `filter ${filter}`).toEqual([3, 5, 200]);
  }
  const clear = pngOf({
    width: 8,
    height: 8,
    color: 6,
    pixel: (x) => [0, 0, 100, x < 4 ? 0 : 255],
  });
  expect(pixelsOf(bytesOf(clear), 8)[0]?.slice(9, 15)).toEqual([255, 255, 255, 0, 0, 100]);
  const gray = pngOf({ width: 8, height: 8, color: 4, pixel: () => [55, 51] });
  expect(pixelsOf(bytesOf(gray), 8)[0]?.slice(0, 3)).toEqual([215, 215, 215]);
  const parts = { PLTE: Buffer.from([1, 2, 3, 9, 9, 9]), tRNS: Buffer.from([255, 0]) };
  const indexed = pngOf({ width: 8, height: 8, color: 3, pixel: (x) => [x % 2], parts });
  expect(pixelsOf(bytesOf(indexed), 8)[0]?.slice(0, 6)).toEqual([1, 2, 3, 255, 255, 255]);
});

test("only pixels stay: texts and places are left out", () => {
  const parts = { tEXt: Buffer.from("Author\0Ada at 1 Harbour St") };
  const png = pngOf({ width: 8, height: 8, color: 0, pixel: () => [7], parts });
  expect(bytesOf(png).includes("Harbour")).toBe(false);
  const jpeg = jpegOf({ width: 20, height: 10, comment: "GPS 1 Harbour St" });
  expect(jpeg.includes("Harbour")).toBe(true);
  expect(bytesOf(jpeg).includes("Harbour")).toBe(false);
  expect(bytesOf(jpeg).subarray(-2)).toEqual(Buffer.from([0xff, 0xd9]));
});

test("what is no small sound picture is refused with the reason", () => {
  const png = pngOf({ width: 8, height: 8, color: 2, pixel: () => [1, 2, 3] });
  expect(problemOf(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"))).toContain("neither");
  expect(problemOf(Buffer.alloc(0))).toContain("neither");
  expect(problemOf(Buffer.alloc(200_001))).toContain("200 kB");
  for (const end of [20, 40, png.length - 20]) {
    expect(problemOf(png.subarray(0, end)), `cut at ${end}`).toContain("damaged");
  }
  const broken = Buffer.from(png);
  broken[png.indexOf("IDAT") + 6] = 0;
  expect(problemOf(broken)).toContain("damaged");
  const huge = pngOf({ width: 5000, height: 1, color: 0, pixel: () => [0] });
  expect(problemOf(huge)).toContain("5000 × 1 pixels");
  // More pixels than its header says, which would fill the memory.
  const bomb = pngOf({ width: 8, height: 8, color: 0, pixel: () => [0], data: Buffer.alloc(5e6) });
  expect(problemOf(bomb)).toContain("damaged");
  const deep = pngOf({ width: 8, height: 8, color: 2, depth: 16, pixel: () => [1, 2, 3] });
  expect(problemOf(deep)).toContain("8 bits");
  const outside = pngOf({
    ...{ width: 8, height: 8, color: 3, pixel: () => [9] },
    parts: { PLTE: Buffer.from([1, 2, 3]) },
  });
  expect(problemOf(outside)).toContain("damaged");
  const jpeg = jpegOf({ width: 20, height: 10 });
  expect(problemOf(jpeg.subarray(0, 30))).toContain("damaged");
  expect(problemOf(jpegOf({ width: 20, height: 4000 }))).toContain("20 × 4000");
  expect(problemOf(jpegOf({ width: 20, height: 20, components: 4 }))).toContain("RGB or gray");
});
