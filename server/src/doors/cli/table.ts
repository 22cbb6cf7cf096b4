// Tables and records for a person. In a pipe or a file they are as wide as their texts. On a terminal they fit its width:
// texts are cut, but never an id, an amount or a date.

import { styleText } from "node:util";
import type { Terminal } from "../../../../packages/command-line/src/index.ts";

type Cells = readonly string[];
type Style = Parameters<typeof styleText>[0];
type Column = {
  name: string;
  /** In the row. */
  place: number;
  isNumeric: boolean;
  width: number;
  widthMin: number;
};

const gap = "  ";
/** A text is not cut any shorter: the records are then printed one below the other. */
const cutWidthMin = 12;

/** Each is a word of its own, so that colour says nothing more than the word. */
const stateStyles: Readonly<Record<string, Style>> = {
  failed: "red",
  refused: "red",
  rejected: "red",
  returned: "red",
  undelivered: "red",
  on_hold: "yellow",
  live: "bold",
};

export function tableOf(names: Cells, rows: readonly Cells[], terminal?: Terminal): string {
  if (!terminal) return plainTable([names, ...rows]);
  const all = names.map((name, place) => {
    const cells = rows.map((row) => row[place] ?? "");
    return columnOf(name, place, cells.map(shortTime));
  });
  // Rather than no table: without the ids of other objects.
  const own = all.filter(({ name }, place) => place === 0 || !name.endsWith("_id"));
  const columns = [all, own].find((some) => fit(some, terminal.columns));
  if (!columns) {
    const records = rows.map((row) =>
      names.map((name, place) => [name, row[place] ?? ""] as const),
    );
    return records.map((record) => recordOf(record, terminal)).join("\n\n");
  }
  const lines = rows.map((row) =>
    lineOf(row.map(shortTime), columns, (cell) => state(cell, terminal)),
  );
  const head = lineOf(names, columns, (name) => styled(name, "bold", terminal));
  const left = all.filter((one) => !columns.includes(one)).map(({ name }) => name);
  const note =
    left.length > 0 ? [styled(`Without ${left.join(", ")}: too wide`, "dim", terminal)] : [];
  return [head, ...lines, ...note].join("\n");
}

const shortTime = (cell: string) =>
  cell.replace(/^(\d{4}-\d\d-\d\d)T([\d:]{8})\.\d{3}Z$/, "$1 $2Z");

/** A line for each name and its value. */
export function recordOf(
  record: readonly (readonly [name: string, value: string])[],
  terminal?: Terminal,
): string {
  const width = Math.max(...record.map(([name]) => name.length));
  return record
    .map(([name, value]) => {
      const padded = name.padEnd(width);
      if (!terminal) return `${padded}${gap}${value}`;
      return `${styled(padded, "dim", terminal)}${gap}${state(value, terminal)}`;
    })
    .join("\n");
}

/** A heading over a table, or a title in a help. */
export function headingOf(text: string, terminal?: Terminal): string {
  return terminal ? styled(text, "bold", terminal) : text;
}

function plainTable(rows: readonly Cells[]): string {
  const widths = rows[0]?.map((_, place) =>
    Math.max(...rows.map((row) => row[place]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, place) => cell.padEnd(widths?.[place] ?? 0))
        .join(gap)
        .trimEnd(),
    )
    .join("\n");
}

function columnOf(name: string, place: number, cells: Cells): Column {
  const isNumeric = isNumericColumn(name, cells);
  const width = Math.max(...[name, ...cells].map(widthOf));
  const least = isNumeric ? widthOf : leastWidthOf;
  return { name, place, isNumeric, width, widthMin: Math.max(widthOf(name), ...cells.map(least)) };
}

/** Takes from the widest texts first. False: even the narrowest columns are too wide. */
function fit(columns: readonly Column[], columnsOfTerminal: number): boolean {
  const widthMax = columnsOfTerminal - gap.length * (columns.length - 1);
  if (columns.reduce((total, { widthMin }) => total + widthMin, 0) > widthMax) return false;
  const sum = () => columns.reduce((total, { width }) => total + width, 0);
  for (let excess = sum() - widthMax; excess > 0; excess--) {
    const shrinkable = columns.filter(({ width, widthMin }) => width > widthMin);
    shrinkable.reduce((widest, one) => (one.width > widest.width ? one : widest)).width -= 1;
  }
  return true;
}

function lineOf(cells: Cells, columns: readonly Column[], style: (cell: string) => string): string {
  return columns
    .map(({ place, isNumeric, width }, index) => {
      const cell = cut(cells[place] ?? "", width);
      const padding = " ".repeat(width - widthOf(cell));
      if (isNumeric) return padding + style(cell);
      return style(cell) + (index === columns.length - 1 ? "" : padding);
    })
    .join(gap)
    .trimEnd();
}

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let begin = "";
  let taken = 0;
  for (const { segment } of graphemes.segment(text)) {
    taken += widthOfGrapheme(segment);
    if (taken >= width) break;
    begin += segment;
  }
  // Half a number would be read as another one.
  return `${begin.replace(/(?<=\s)[\d.,:-]+$/, "")}…`;
}

const number = /^-?\d+$/;
const amount = /^-?\d[\d,]*(\.\d+)?( [A-Z]{3})?$/;
/** Digits that count nothing. */
const namesOfDigits = /code|bsb|reference|account|name|text|note|party|phone|_number$|_id$|^id$/;

function isNumericColumn(name: string, cells: Cells): boolean {
  const given = cells.filter((cell) => cell !== "-");
  if (given.length === 0 || !given.every((cell) => amount.test(cell))) return false;
  return !namesOfDigits.test(name) || !given.every((cell) => number.test(cell));
}

const wholes = [
  // Amounts, dates and times, the last digits of an account, email addresses.
  amount,
  /^\d{4}-\d{2}(-\d{2}([T ][\d:.]+Z)?)?$/,
  /^(…|•+ ?)\w{1,6}$/,
  /^\S+@\S+$/,
  // The words for states, kinds and currencies.
  /^[A-Za-z][A-Za-z\d_.-]{0,23}$/,
];
/** Ids, keys and hashes, also within a text. */
const ids =
  /\b((evt_|evt_test_)?[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|(ak|ot)_[\w-]+|[\da-f]{16,})\b/gi;

function leastWidthOf(cell: string): number {
  const width = widthOf(cell);
  if (wholes.some((whole) => whole.test(cell))) return width;
  const last = [...cell.matchAll(ids)].at(-1);
  const withIds = last ? widthOf(cell.slice(0, last.index + last[0].length)) + 1 : 0;
  return Math.min(width, Math.max(cutWidthMin, withIds));
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6]/u;

/** The cells of the terminal that a text takes. */
function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  return [...graphemes.segment(text)].reduce(
    (sum, { segment }) => sum + widthOfGrapheme(segment),
    0,
  );
}

function widthOfGrapheme(grapheme: string): number {
  if (wide.test(grapheme)) return 2;
  return /^[\p{Mn}\p{Me}\p{Cf}]+$/u.test(grapheme) ? 0 : 1;
}

function state(cell: string, terminal: Terminal): string {
  const style = Object.hasOwn(stateStyles, cell) ? stateStyles[cell] : undefined;
  return style ? styled(cell, style, terminal) : cell;
}

/** The stream of this process does not matter: over HTTP the terminal is that of the client. */
function styled(text: string, style: Style, { colour }: Terminal): string {
  return colour ? styleText(style, text, { validateStream: false }) : text;
}
