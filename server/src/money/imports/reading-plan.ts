// How a file is read: by the names of its columns, as a user said, or as it was read the last time.

import {
  type ColumnPlaces,
  type DayOrder,
  type DecimalMark,
  detectColumns,
  type KnownColumns,
  plainName,
  type SheetField,
  UnreadableFile,
  wordsOf,
} from "../sheets/index.ts";
import { isOurColumn, type ReadingPlan, type RowFormat } from "./import-rows.ts";

/** What a user says about a file. Everything else is found. */
export type ToldReading = {
  /** The column of each field, from 0. Absent: found by the names of columns. */
  columns?: ColumnPlaces | undefined;
  fixed?: Readonly<Record<string, string>> | undefined;
  decimal?: "." | "," | undefined;
  edits?: readonly { row: number; field: string; value: string }[] | undefined;
};

/** What was said the last time. */
export type RememberedReading = {
  columns: KnownColumns;
  fixed: Readonly<Record<string, string>>;
};

export function toPlan(
  header: readonly string[],
  fields: readonly SheetField[],
  { columns, fixed, edits = [] }: ToldReading,
  remembered?: RememberedReading,
): Omit<ReadingPlan, "reading"> {
  const known = new Set(fields.map(({ name }) => name));
  const places = columns
    ? Object.fromEntries(
        Object.entries(columns).filter(
          ([name, place]) => known.has(name) && place >= 0 && place < header.length,
        ),
      )
    : detectColumns(header, fields, remembered?.columns);
  const everywhere = Object.entries(fixed ?? remembered?.fixed ?? {}).filter(
    ([name, value]) => known.has(name) && !(name in places) && value.trim() !== "",
  );
  const byRow = new Map<number, Record<string, string>>();
  for (const { row, field, value } of edits) {
    if (!known.has(field)) continue;
    byRow.set(row, { ...byRow.get(row), [field]: value });
  }
  return { places, fixed: Object.fromEntries(everywhere), edits: byRow };
}

/** The fields that have to have a column before rows can be read. */
export function missingFields(
  { fields, oneOf = [], insteadOf = {} }: RowFormat,
  { places, fixed }: Pick<ReadingPlan, "places" | "fixed">,
): string[] {
  const isRead = (name: string) => name in places || name in fixed;
  const has = (name: string) => isRead(name) || isRead(insteadOf[name] ?? "");
  const missing = fields.filter(({ name, isRequired }) => isRequired && !has(name));
  const isOneMissing = oneOf.length > 0 && !oneOf.some(has);
  return [...(isOneMissing ? oneOf.slice(0, 1) : []), ...missing.map(({ name }) => name)];
}

export type CommandReading = {
  /** By the name of a column: its field, or "-" for none. */
  map: ReadonlyMap<string, string>;
  decimal: DecimalMark;
  order?: DayOrder | undefined;
};

/** For a command, which asks no questions: each column has to be known, or named. Refuses with all that is wrong. */
export function strictPlan(
  header: readonly string[],
  format: RowFormat,
  { map, decimal, order = "undecided" }: CommandReading,
): ReadingPlan {
  const words = wordsOf(format.fields);
  const told = new Map([...map].map(([name, field]) => [plainName(name), field]));
  const fieldOf = (name: string) => told.get(plainName(name)) ?? words.get(plainName(name));
  const places: Record<string, number> = {};
  const unknown: string[] = [];
  const twice: string[] = [];
  const unnamed: string[] = [];
  for (const [place, name] of header.entries()) {
    const field = fieldOf(name);
    if (name === "") unnamed.push(`column ${place + 1}`);
    else if (field === "-" || (field === undefined && isOurColumn(name))) continue;
    else if (field === undefined) unknown.push(name);
    else if (field in places) twice.push(name);
    else places[field] = place;
  }
  const problems = Object.entries({
    "Unknown columns": unknown,
    "Columns without a name": unnamed,
    "Columns that come twice": twice,
    "Missing columns": missingFields(format, { places, fixed: {} }),
  }).filter(([, list]) => list.length > 0);
  if (problems.length > 0) {
    const lines = problems.map(([title, list]) => `${title}: ${list.map(shortened).join(", ")}`);
    throw new UnreadableFile(lines.join("\n"), { isAboutColumns: true });
  }
  return { places, fixed: {}, edits: new Map(), reading: { decimal, order } };
}

/** Shortens a column name for a message: the file may be a picture. */
function shortened(name: string): string {
  const clean = name.replaceAll(/\p{Cc}+/gu, " ");
  return clean.length > 50 ? `${clean.slice(0, 50)}…` : clean;
}
