// Writes small spreadsheets (.xlsx) for tests: one sheet, shared texts, deflated parts.

import { crc32, deflateRawSync } from "node:zlib";

/** A number with a style is one of `numberFormats`; `raw` is the cell as the file writes it, without its place. */
export type Cell = string | number | { value: number; style: number } | { raw: string };

/** 1: a day as the country writes it. 2: a day by letters. 3: five digits with zeros. 4: two decimals. */
const numberFormats = [0, 14, 164, 165, 4];

type SheetOptions = {
  savedDay?: string;
  /** Such as "A2:A4". */
  merged?: readonly string[];
  /** Numbers of rows. */
  hidden?: readonly number[];
  otherSheet?: string;
  /** More parts, by name. */
  parts?: Record<string, string>;
};

export function spreadsheet(
  rows: readonly (readonly Cell[])[],
  { savedDay = "2026-11-02", merged = [], hidden = [], otherSheet, parts = {} }: SheetOptions = {},
): Buffer {
  const texts: string[] = [];
  const cell = (value: Cell, row: number, column: number) => {
    const place = `${letters(column)}${row}`;
    if (value === "") return "";
    if (typeof value === "object") {
      if ("raw" in value) return value.raw.replace("<c", `<c r="${place}"`);
      return `<c r="${place}" s="${value.style}"><v>${value.value}</v></c>`;
    }
    if (typeof value === "number") return `<c r="${place}"><v>${value}</v></c>`;
    texts.push(value);
    return `<c r="${place}" t="s"><v>${texts.length - 1}</v></c>`;
  };
  const lines = rows.map((cells, index) => {
    const made = cells.map((value, column) => cell(value, index + 1, column)).join("");
    const mark = hidden.includes(index + 1) ? ' hidden="1"' : "";
    return `<row r="${index + 1}"${mark}>${made}</row>`;
  });
  return zip({
    "xl/workbook.xml":
      '<workbook xmlns:r="r"><sheets><sheet name="List" sheetId="1" r:id="rId7"/>' +
      `${otherSheet === undefined ? "" : `<sheet name="${otherSheet}" sheetId="2" r:id="rId8"/>`}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels":
      '<Relationships><Relationship Id="rId7" Target="worksheets/sheet1.xml"/></Relationships>',
    "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${lines.join("")}</sheetData><mergeCells>${merged
      .map((range) => `<mergeCell ref="${range}"/>`)
      .join("")}</mergeCells></worksheet>`,
    "xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-407]dd/mm/yyyy;@"/><numFmt numFmtId="165" formatCode="00000"/></numFmts><cellXfs>${numberFormats
      .map((id) => `<xf numFmtId="${id}"/>`)
      .join("")}</cellXfs></styleSheet>`,
    "xl/sharedStrings.xml": `<sst>${texts.map(sharedText).join("")}</sst>`,
    "docProps/core.xml": `<cp:coreProperties xmlns:cp="c" xmlns:dcterms="d"><dcterms:modified>${savedDay}T10:00:00Z</dcterms:modified></cp:coreProperties>`,
    ...parts,
  });
}

/** In two runs, as a program writes a text of which a part is bold. */
function sharedText(text: string): string {
  const middle = Math.floor(text.length / 2);
  const runs = [text.slice(0, middle), text.slice(middle)].map(
    (run) => `<r><t xml:space="preserve">${escaped(run)}</t></r>`,
  );
  return `<si>${runs.join("")}</si>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function letters(column: number): string {
  return String.fromCharCode(65 + column);
}

function zip(parts: Record<string, string>): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let place = 0;
  for (const [name, text] of Object.entries(parts)) {
    const data = Buffer.from(text);
    const packed = deflateRawSync(data);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(8, 4);
    shared.writeUInt32LE(crc32(data), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(data.length, 18);
    shared.writeUInt16LE(name.length, 22);
    const file = Buffer.concat([signature(0x04034b50), shared, Buffer.from(name), packed]);
    const start = Buffer.alloc(16);
    start.writeUInt32LE(place, 12);
    const version = Buffer.from([20, 0]);
    directory.push(
      Buffer.concat([signature(0x02014b50), version, shared, start.subarray(2), Buffer.from(name)]),
    );
    files.push(file);
    place += file.length;
  }
  const all = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(all.length, 8);
  end.writeUInt32LE(place, 12);
  return Buffer.concat([...files, all, signature(0x06054b50), end]);
}

function signature(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
}
