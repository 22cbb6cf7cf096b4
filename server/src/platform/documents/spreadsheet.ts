// Reads the first sheet of a spreadsheet (.xlsx): its rows as texts. Written here, on the XML parser that we have: the
// libraries for spreadsheets also write, calculate and format, and need years of updates.

import { SaxesParser } from "saxes";
import { openZip, ZipError, type ZipPart } from "./zip.ts";

export type SheetRow = {
  /** The number of the row in the sheet, from 1. */
  row: number;
  /** By column, from 0. A number is as the file writes it: a date is the number of days since the end of 1899. */
  cells: string[];
};

export type Sheet = {
  rows: SheetRow[];
  /** When the file was saved, YYYY-MM-DD; empty where it doesn't say. */
  savedDay: string;
};

/** The file is no spreadsheet, or is broken. Its message has no content of the file. */
export class SpreadsheetError extends Error {}

export function readSpreadsheet(bytes: Uint8Array): Sheet {
  try {
    const parts = openZip(bytes);
    const texts = sharedTexts(parts);
    return { rows: readRows(textOf(parts, firstSheet(parts)), texts), savedDay: savedDay(parts) };
  } catch (error) {
    if (error instanceof ZipError) throw new SpreadsheetError(error.message);
    throw error;
  }
}

type Parts = ReadonlyMap<string, ZipPart>;

function textOf(parts: Parts, name: string): string {
  const part = parts.get(name);
  if (!part) throw new SpreadsheetError(`the part ${name.slice(0, 100)} is missing`);
  return new TextDecoder().decode(part.read());
}

function firstSheet(parts: Parts): string {
  let id = "";
  walk(textOf(parts, "xl/workbook.xml"), "the workbook", {
    open(name, attributes) {
      if (name === "sheet" && id === "") id = attributes["r:id"] ?? "";
    },
  });
  let target = "";
  walk(textOf(parts, "xl/_rels/workbook.xml.rels"), "the workbook", {
    open(name, attributes) {
      if (name === "Relationship" && attributes.Id === id) target = attributes.Target ?? "";
    },
  });
  return target.startsWith("/") ? target.slice(1) : `xl/${target}`;
}

/** Texts are kept once, and cells name them by number. A text may be in several runs, each with its own style. */
function sharedTexts(parts: Parts): string[] {
  const texts: string[] = [];
  if (!parts.has("xl/sharedStrings.xml")) return texts;
  let text = "";
  let isInText = false;
  let isPhonetic = false;
  walk(textOf(parts, "xl/sharedStrings.xml"), "the texts", {
    open(name) {
      if (name === "si") text = "";
      if (name === "rPh") isPhonetic = true;
      if (name === "t") isInText = !isPhonetic;
    },
    text(part) {
      if (isInText) text += part;
    },
    close(name) {
      if (name === "t") isInText = false;
      if (name === "rPh") isPhonetic = false;
      if (name === "si") texts.push(text);
    },
  });
  return texts;
}

function readRows(xml: string, texts: readonly string[]): SheetRow[] {
  const rows: SheetRow[] = [];
  let current: SheetRow = { row: 0, cells: [] };
  let column = 0;
  let type = "";
  let value = "";
  let isValue = false;
  walk(xml, "the sheet", {
    open(name, attributes) {
      if (name === "row") {
        current = { row: Number(attributes.r ?? current.row + 1), cells: [] };
        column = -1;
      } else if (name === "c") {
        column = attributes.r ? columnOf(attributes.r) : column + 1;
        type = attributes.t ?? "";
        value = "";
      } else if (name === "v" || name === "t") isValue = true;
    },
    text(part) {
      if (isValue) value += part;
    },
    close(name) {
      if (name === "v" || name === "t") isValue = false;
      else if (name === "c") {
        const text = type === "s" ? (texts[Number(value)] ?? "") : value;
        if (text.trim() !== "" && column < columnsMax) current.cells[column] = text.trim();
      } else if (name === "row" && current.cells.length > 0) {
        rows.push({ row: current.row, cells: Array.from(current.cells, (cell) => cell ?? "") });
      }
    },
  });
  return rows;
}

const columnsMax = 1_000;

/** From 0: the column of a cell such as "AB12". */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of reference.replace(/\d+$/, "")) {
    column = column * 26 + letter.charCodeAt(0) - 64;
  }
  return column - 1;
}

function savedDay(parts: Parts): string {
  if (!parts.has("docProps/core.xml")) return "";
  const [, day = ""] =
    /<dcterms:modified[^>]*>(\d{4}-\d\d-\d\d)/.exec(textOf(parts, "docProps/core.xml")) ?? [];
  return day;
}

type Handlers = {
  open?(name: string, attributes: Record<string, string>): void;
  text?(part: string): void;
  close?(name: string): void;
};

function walk(xml: string, what: string, { open, text, close }: Handlers): void {
  const parser = new SaxesParser();
  parser.on("error", () => {
    throw new SpreadsheetError(`${what} is not well-formed XML`);
  });
  if (open) parser.on("opentag", ({ name, attributes }) => open(name, attributes));
  if (text) parser.on("text", text);
  if (close) parser.on("closetag", ({ name }) => close(name));
  parser.write(xml).close();
}

/** The day of a cell that holds a date; undefined for a number that can't be one. */
export function dayOfSerial(serial: number): string | undefined {
  if (!(serial >= 1 && serial < 100_000)) return undefined;
  return new Date(Date.UTC(1899, 11, 30) + Math.floor(serial) * 86_400_000)
    .toISOString()
    .slice(0, 10);
}
