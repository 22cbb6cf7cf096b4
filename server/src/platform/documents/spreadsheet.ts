// Reads the first sheet of a spreadsheet (.xlsx): its rows as texts. workbook.ts reads what a user's sheet shows.

import {
  columnOfCell,
  columnsMax,
  type Parts,
  SpreadsheetError,
  sharedTexts,
  sheetsOf,
  textOf,
  walk,
} from "./workbook-parts.ts";

import { openZip, ZipError } from "./zip.ts";

export type SheetRow = {
  /** The number of the row in the sheet, from 1. */
  row: number;
  /** By column, from 0. A number is as the file writes it: a date is the number of days since the end of 1899. */
  cells: string[];
};

type Sheet = {
  rows: SheetRow[];
  /** When the file was saved, YYYY-MM-DD; empty where it doesn't say. */
  savedDay: string;
};

export function readSpreadsheet(bytes: Uint8Array): Sheet {
  try {
    const parts = openZip(bytes);
    const texts = sharedTexts(parts);
    return {
      rows: readRows(textOf(parts, sheetsOf(parts)[0]?.part ?? ""), texts),
      savedDay: savedDay(parts),
    };
  } catch (error) {
    if (error instanceof ZipError) throw new SpreadsheetError(error.message);
    throw error;
  }
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
        column = attributes.r ? columnOfCell(attributes.r) : column + 1;
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

function savedDay(parts: Parts): string {
  if (!parts.has("docProps/core.xml")) return "";
  const [, day = ""] =
    /<dcterms:modified[^>]*>(\d{4}-\d\d-\d\d)/.exec(textOf(parts, "docProps/core.xml")) ?? [];
  return day;
}

/** The day of a cell that holds a date; undefined for a number that can't be one. */
export function dayOfSerial(serial: number): string | undefined {
  if (!(serial >= 1 && serial < 100_000)) return undefined;
  return new Date(Date.UTC(1899, 11, 30) + Math.floor(serial) * 86_400_000)
    .toISOString()
    .slice(0, 10);
}
