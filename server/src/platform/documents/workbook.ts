// Reads the first visible sheet of a workbook (.xlsx) as its user sees it: texts, numbers and days. What a cell can't
// say for sure is a fault of the cell, with its cure.

import { dayOfSerial } from "./spreadsheet.ts";
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

export type CellFault = {
  /** From 0; -1 for the whole row. */
  column: number;
  message: string;
  cure: string;
  /** What the cell probably should say. */
  suggestion?: string;
};

export type CellKind = "text" | "number" | "day";

export type WorkbookRow = {
  /** As the sheet counts. */
  row: number;
  cells: string[];
  /** Of the cells that are no texts. A number is written with a point, a day as YYYY-MM-DD. */
  kinds: Partial<Record<number, CellKind>>;
  faults: CellFault[];
};

export type Workbook = {
  sheet: string;
  /** The other sheets that a user sees. */
  others: string[];
  rows: WorkbookRow[];
};

type WorkbookLimits = { unpackedBytesMax: number; rowsMax: number };

export function readWorkbook(
  bytes: Uint8Array,
  { unpackedBytesMax, rowsMax }: WorkbookLimits,
): Workbook {
  try {
    const parts = openZip(bytes, unpackedBytesMax);
    refuseActive(parts);
    const [tab, ...others] = sheetsOf(parts).filter(({ isHidden }) => !isHidden);
    if (!tab) throw new SpreadsheetError("it has no sheet");
    const texts = { shared: sharedTexts(parts), charsMax: unpackedBytesMax };
    const reader = new SheetReader(texts, stylesOf(parts), startsIn1904(parts));
    const rows = reader.read(textOf(parts, tab.part), rowsMax);
    return { sheet: tab.name, others: others.map(({ name }) => name), rows };
  } catch (error) {
    if (error instanceof ZipError) throw new SpreadsheetError(error.message);
    throw error;
  }
}

const active: readonly (readonly [RegExp, string])[] = [
  [
    /^xl\/(vbaProject|macrosheets\/)/i,
    "it has macros: save it as an Excel workbook without macros (.xlsx)",
  ],
  [
    /^xl\/(externalLinks\/|connections\.xml|queryTables\/)/i,
    "it takes values from other files: copy the sheet, paste its values into a new workbook, and save that",
  ],
];

function refuseActive(parts: Parts): void {
  for (const name of parts.keys()) {
    const found = active.find(([pattern]) => pattern.test(name));
    if (found) throw new SpreadsheetError(found[1]);
  }
  if (!parts.has("xl/workbook.xml")) throw new SpreadsheetError("it is no Excel workbook");
}

function startsIn1904(parts: Parts): boolean {
  let is1904 = false;
  walk(textOf(parts, "xl/workbook.xml"), "the workbook", {
    open(name, { date1904 = "" }) {
      if (name === "workbookPr") is1904 = /^(1|true)$/.test(date1904);
    },
  });
  return is1904;
}

/** How a number is shown: as a day, or filled with zeros to a length. */
type NumberStyle = { isDay: boolean; digits: number };

const builtInDays = new Set([14, 15, 16, 17, 22, 27, 30, 36, 50, 57]);

function stylesOf(parts: Parts): NumberStyle[] {
  const styles: NumberStyle[] = [];
  if (!parts.has("xl/styles.xml")) return styles;
  const formats = new Map<number, string>();
  let isInCells = false;
  walk(textOf(parts, "xl/styles.xml"), "the styles", {
    open(name, { numFmtId = "0", formatCode = "" }) {
      if (name === "numFmt") formats.set(Number(numFmtId), formatCode);
      if (name === "cellXfs") isInCells = true;
      if (name === "xf" && isInCells) styles.push(styleOf(Number(numFmtId), formats));
    },
    close(name) {
      if (name === "cellXfs") isInCells = false;
    },
  });
  return styles;
}

function styleOf(id: number, formats: ReadonlyMap<number, string>): NumberStyle {
  // Without texts, colours and escaped letters.
  const format = (formats.get(id) ?? "").replace(/"[^"]*"|\[[^\]]*\]|\\./g, "");
  const isDay = builtInDays.has(id) || (/[yd]/i.test(format) && !/[#0?]/.test(format));
  return { isDay, digits: /^0{2,}$/.test(format) ? format.length : 0 };
}

const noStyle: NumberStyle = { isDay: false, digits: 0 };
const daysUntil1904 = 1462;
/** Of a number, as Excel keeps it. */
const digitsMax = 15;
const mergedCellsMax = 1_000_000;

type Merge = { from: string; rows: [number, number]; columns: [number, number] };

class SheetReader {
  readonly #texts: readonly string[];
  /** A text that is kept once can stand in many cells: it counts in each. */
  #charsLeft: number;
  readonly #styles: readonly NumberStyle[];
  readonly #is1904: boolean;

  constructor(
    { shared, charsMax }: { shared: readonly string[]; charsMax: number },
    styles: readonly NumberStyle[],
    is1904: boolean,
  ) {
    this.#texts = shared;
    this.#charsLeft = charsMax;
    this.#styles = styles;
    this.#is1904 = is1904;
  }

  read(xml: string, rowsMax: number): WorkbookRow[] {
    const rows: WorkbookRow[] = [];
    const merges: Merge[] = [];
    let current: WorkbookRow = { row: 0, cells: [], kinds: {}, faults: [] };
    let column = 0;
    let type = "";
    let style = noStyle;
    let value = "";
    let isFormula = false;
    let isValue = false;
    walk(xml, "the sheet", {
      open: (name, attributes) => {
        if (name === "row") {
          current = {
            row: Number(attributes.r ?? current.row + 1),
            cells: [],
            kinds: {},
            faults: /^(1|true)$/.test(attributes.hidden ?? "") ? [hiddenRow] : [],
          };
          column = -1;
        } else if (name === "c") {
          column = attributes.r ? columnOfCell(attributes.r) : column + 1;
          type = attributes.t ?? "n";
          style = this.#styles[Number(attributes.s ?? 0)] ?? noStyle;
          value = "";
          isFormula = false;
        } else if (name === "f") isFormula = true;
        else if (name === "v" || name === "t") isValue = true;
        else if (name === "mergeCell") merges.push(mergeOf(attributes.ref ?? ""));
      },
      text(part) {
        if (isValue) value += part;
      },
      close: (name) => {
        if (name === "v" || name === "t") isValue = false;
        else if (name === "c" && column < columnsMax) {
          this.#keep(current, column, { type, style, value, isFormula });
        } else if (name === "row" && current.cells.some((cell) => cell?.trim())) {
          current.cells = Array.from(current.cells, (cell) => cell ?? "");
          if (rows.push(current) > rowsMax) throw new SpreadsheetError(tooManyRows(rowsMax));
        } else if (name === "row" && current.faults.some(({ column }) => column >= 0)) {
          current.cells = Array.from(current.cells, (cell) => cell ?? "");
          rows.push(current);
        }
      },
    });
    markMerged(rows, merges);
    return rows;
  }

  #keep(
    { cells, kinds, faults }: WorkbookRow,
    column: number,
    cell: { type: string; style: NumberStyle; value: string; isFormula: boolean },
  ): void {
    const { type, style, value, isFormula } = cell;
    if (type === "s") {
      const text = this.#texts[Number(value)] ?? "";
      this.#charsLeft -= text.length;
      if (this.#charsLeft < 0) throw new SpreadsheetError("it is too large when unpacked");
      cells[column] = text;
    } else if (type === "b") cells[column] = value === "1" ? "TRUE" : "FALSE";
    else if (type === "e") {
      cells[column] = value;
      faults.push({ column, ...formulaFailed });
    } else if (type === "d") {
      cells[column] = value.slice(0, 10);
      kinds[column] = "day";
    } else if (type !== "n") cells[column] = value;
    else if (value.trim() === "") {
      if (isFormula) faults.push({ column, ...formulaWithoutValue });
    } else this.#keepNumber({ cells, kinds, faults }, column, { style, value });
  }

  #keepNumber(
    { cells, kinds, faults }: Pick<WorkbookRow, "cells" | "kinds" | "faults">,
    column: number,
    { style: { isDay, digits }, value }: { style: NumberStyle; value: string },
  ): void {
    const number = Number(value);
    const day = isDay ? dayOfSerial(number + (this.#is1904 ? daysUntil1904 : 0)) : undefined;
    kinds[column] = day === undefined ? "number" : "day";
    cells[column] = day ?? plainNumber(number, value).padStart(digits, "0");
    if (day !== undefined || Math.abs(number) < 10 ** digitsMax) return;
    faults.push({ column, ...digitsLost });
  }
}

/** As Excel shows it: 0.30000000000000004 is 0.3, and there is no exponent. */
function plainNumber(number: number, text: string): string {
  if (!Number.isFinite(number)) return text;
  const shown = Number(number.toPrecision(digitsMax));
  const isPlain = Math.abs(shown) < 1e21 && (shown === 0 || Math.abs(shown) >= 1e-6);
  return isPlain ? String(shown) : shown.toFixed(20).replace(/\.?0+$/, "");
}

const hiddenRow: CellFault = {
  column: -1,
  message: "The row is hidden in the spreadsheet",
  cure: "Show the row if it is meant, or delete it",
};
const formulaFailed = {
  message: "The formula has no result",
  cure: "Correct the formula, or type the value",
};
const formulaWithoutValue = {
  message: "The result of the formula is not in the file",
  cure: "Open the file in Excel, save it, and choose it again. Or type the value",
};
const digitsLost = {
  message: "Excel keeps only 15 digits of a number: the others are lost",
  cure: "Type all digits again",
};

const count = new Intl.NumberFormat("en");

export function tooManyRows(rowsMax: number): string {
  return `it has more than ${count.format(rowsMax)} rows: split it into several files`;
}

function mergeOf(reference: string): Merge {
  const [from = "", to = from] = reference.split(":");
  const rowOf = (cell: string) => Number(/\d+$/.exec(cell)?.[0] ?? 0);
  return {
    from,
    rows: [rowOf(from), rowOf(to)],
    columns: [columnOfCell(from), Math.min(columnOfCell(to), columnsMax - 1)],
  };
}

/** Only the first cell of merged ones has their value. */
function markMerged(rows: WorkbookRow[], merges: readonly Merge[]): void {
  if (merges.length === 0) return;
  const byNumber = new Map(rows.map((row) => [row.row, row]));
  const last = rows.at(-1)?.row ?? 0;
  let marked = 0;
  for (const { from, rows: range, columns } of merges) {
    const value = byNumber.get(range[0])?.cells[columns[0]] ?? "";
    if (value === "") continue;
    for (let number = range[0]; number <= Math.min(range[1], last); number += 1) {
      const row = byNumber.get(number);
      for (let column = columns[0]; column <= columns[1]; column += 1) {
        marked += 1;
        if (marked > mergedCellsMax) throw new SpreadsheetError("it has too many merged cells");
        if (!row || (number === range[0] && column === columns[0])) continue;
        row.faults.push({
          column,
          message: `The cell is merged with ${from}`,
          cure: "Unmerge the cells, and give each its own value",
          suggestion: value,
        });
      }
    }
  }
}
