// Reads the PDF documents that we write: follows the table of offsets, inflates the pages and decodes their text. It
// shares nothing with the writer.

import { inflateSync } from "node:zlib";

export type PdfText = { text: string; x: number; y: number };

export function readPdf(bytes: Buffer) {
  const raw = bytes.toString("latin1");
  const offset = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(raw)?.[1]);
  if (!raw.startsWith("%PDF-1.7") || raw.slice(offset, offset + 4) !== "xref") {
    throw new Error("not a whole PDF file");
  }
  const objects = new Map<number, string>();
  raw
    .slice(offset)
    .split("\n")
    .filter((line) => line.endsWith(" n "))
    .forEach((line, index) => {
      const at = Number(line.slice(0, 10));
      const head = `${index + 1} 0 obj\n`;
      if (!raw.startsWith(head, at)) throw new Error(`object ${index + 1} is elsewhere`);
      objects.set(index + 1, raw.slice(at + head.length, raw.indexOf("endobj", at)));
    });
  const object = (id: number | string | undefined) => objects.get(Number(id)) ?? "";
  const reference = (text: string, name: string) =>
    new RegExp(`/${name} (\\d+) 0 R`).exec(text)?.[1];
  const content = (id: string | undefined) => {
    const stream = /stream\n([\s\S]*)\nendstream/.exec(object(id))?.[1] ?? "";
    const isDeflated = object(id).includes("/FlateDecode");
    return isDeflated ? inflateSync(Buffer.from(stream, "latin1")).toString("latin1") : stream;
  };

  const fonts = new Map<string, string[]>();
  const charactersOf = (font: string) => {
    const known = fonts.get(font);
    if (known) return known;
    const cmap = content(reference(object(font), "ToUnicode"));
    const entries = [...cmap.matchAll(/<[0-9a-f]+> <[0-9a-f]+> \[(.*)\]/g)].flatMap(([, list]) =>
      [...(list as string).matchAll(/<([0-9a-f ]*)>/g)].map(([, codes]) => {
        const hex = (codes as string).replaceAll(" ", "");
        return Buffer.from(hex, "hex").swap16().toString("utf16le");
      }),
    );
    fonts.set(font, entries);
    return entries;
  };

  function textsOf(stream: string, resources: string, from = { x: 0, y: 0 }): PdfText[] {
    const texts: PdfText[] = [];
    const place = { ...from };
    let font: string[] = [];
    const tokens =
      /1 0 0 1 ([\d.-]+) ([\d.-]+) Tm|1 0 0 -1 ([\d.-]+) ([\d.-]+) cm|\/(F\d+) [\d.]+ Tf|\[(.*?)\] TJ|(<[0-9a-f]+>) Tj|\/(\w+) Do/g;
    for (const [, x, y, cx, cy, name, many, one, form] of stream.matchAll(tokens)) {
      if (x !== undefined) Object.assign(place, { x: Number(x), y: Number(y) });
      if (cx !== undefined && cx !== "0") {
        Object.assign(place, { x: Number(cx), y: 841.89 - Number(cy) });
      }
      if (name !== undefined) font = charactersOf(reference(resources, name) ?? "");
      if (form !== undefined) {
        const id = reference(resources, form);
        texts.push(...textsOf(content(id), object(id), place));
      }
      const glyphs = [...(many ?? one ?? "").matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex]) =>
        (hex as string).match(/.{4}/g),
      );
      const text = glyphs.map((hex) => font[Number.parseInt(hex as string, 16)]).join("");
      if (text !== "") texts.push({ text, ...place });
    }
    return texts;
  }

  const all = [...objects.values()];
  const catalog = all.find((text) => text.includes("/Type /Catalog")) as string;
  const kids = /\/Kids \[(.*?)\]/s.exec(object(reference(catalog, "Pages")))?.[1] ?? "";
  const info = object(/\/Info (\d+) 0 R/.exec(raw.slice(offset))?.[1]);
  const pages = [...kids.matchAll(/(\d+) 0 R/g)].map(([, id]) => {
    const resources = object(reference(object(id), "Resources"));
    return textsOf(content(reference(object(id), "Contents")), resources);
  });
  return {
    pages,
    /** The text of each page, a line for each height. */
    lines: pages.map((texts) => {
      const heights = [...new Set(texts.map(({ y }) => Math.round(y)))];
      return heights.map((height) =>
        texts
          .filter(({ y }) => Math.round(y) === height)
          .map(({ text }) => text)
          .join(" | "),
      );
    }),
    title: /\((.*)\)/.exec(object(reference(info, "Title")))?.[1],
    createdAt: /\((.*)\)/.exec(object(reference(info, "CreationDate")))?.[1],
    language: /\/Lang \((.*?)\)/.exec(catalog)?.[1],
    isTagged: object(reference(catalog, "MarkInfo")).includes("/Marked true"),
    /** How many tags of a type there are, such as TD. */
    tags: (type: string) => all.filter((text) => new RegExp(`/S /${type}\\b`).test(text)).length,
  };
}
