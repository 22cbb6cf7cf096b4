// Layouts of records: one table for each record, which its reader and its writer share.

import { type CharacterSet, toBankText } from "./characters.ts";

/**
 * `digits` is filled with zeros to its length, `number` too, but not between commas. `text` is filled with
 * blanks on the right, `right` on the left. `blank` carries nothing.
 */
export type FieldKind = "digits" | "number" | "text" | "right" | "blank";

export type LayoutField<Name extends string> = {
  name: Name;
  /** The field's position: its first column, or its place between the commas. From 1. */
  at: number;
  length: number;
  kind: FieldKind;
  /** For messages. */
  label: string;
};

export type RecordLayout<Name extends string> = {
  /** Of the whole record, where it has one length. */
  length: number;
  fields: readonly LayoutField<Name>[];
  indexOf: ReadonlyMap<Name, number>;
};

type FieldRow = readonly [at: number, length: number, kind: FieldKind, label: string];

/** A record of fields at fixed columns, without gaps. */
export function fixedLayout<Name extends string>(
  length: number,
  rows: Record<Name, FieldRow>,
): RecordLayout<Name> {
  const layout = toLayout(length, rows);
  let next = 1;
  for (const { name, at, length: width } of layout.fields) {
    if (at !== next) throw new RangeError(`${name} must begin at column ${next}`);
    next += width;
  }
  if (next !== length + 1) throw new RangeError(`the fields end at column ${next - 1}`);
  return layout;
}

/** A record of fields between commas. The lengths are the greatest that the fields may have. */
export function delimitedLayout<Name extends string>(
  rows: Record<Name, FieldRow>,
): RecordLayout<Name> {
  return toLayout(0, rows);
}

function toLayout<Name extends string>(
  length: number,
  rows: Record<Name, FieldRow>,
): RecordLayout<Name> {
  const fields = (Object.entries(rows) as [Name, FieldRow][]).map(
    ([name, [at, width, kind, label]]) => ({ name, at, length: width, kind, label }),
  );
  return { length, fields, indexOf: new Map(fields.map(({ name }, index) => [name, index])) };
}

/** What each field holds. Fields that are missing are empty or blank. */
export type RecordValues<Name extends string> = { readonly [name in Name]?: string };

export function writeFixed<Name extends string>(
  { fields }: RecordLayout<Name>,
  values: RecordValues<Name>,
): string {
  let record = "";
  for (const field of fields) record += fill(field, values[field.name] ?? "");
  return record;
}

/** Programs differ in how many empty fields they write at the end of a record; `count` says how many fields in all. */
export function writeDelimited<Name extends string>(
  { fields }: RecordLayout<Name>,
  values: RecordValues<Name>,
  count = fields.length,
): string {
  const texts = fields.map((field) => {
    const value = values[field.name] ?? "";
    return field.kind === "digits" && value !== "" ? fill(field, value) : fit(field, value);
  });
  while (texts.length > count && texts.at(-1) === "") texts.pop();
  while (texts.length < count) texts.push("");
  return texts.join(",");
}

function fill<Name extends string>(field: LayoutField<Name>, value: string): string {
  const { kind, length } = field;
  const fitting = fit(field, value);
  if (kind === "digits" || kind === "number") return fitting.padStart(length, "0");
  return kind === "right" ? fitting.padStart(length) : fitting.padEnd(length);
}

/** The writer checks payments before, so this stops only a mistake of ours from shifting all that follows. */
function fit<Name extends string>({ name, length }: LayoutField<Name>, value: string): string {
  if (value.length > length) throw new RangeError(`${name} is longer than ${length}`);
  return value;
}

export function fieldLength<Name extends string>(
  { fields, indexOf }: RecordLayout<Name>,
  name: Name,
): number {
  return fields[indexOf.get(name) ?? -1]?.length ?? 0;
}

/** The text as a field takes it: in the format's characters, and cut to the field's length. */
export function toFieldText<Name extends string>(
  layout: RecordLayout<Name>,
  name: Name,
  text: string,
  set: CharacterSet,
): string {
  return toBankText(text, set, fieldLength(layout, name));
}
