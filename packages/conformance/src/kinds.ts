// Kinds of values, by the words of the published document.

import type { Run } from "./run.ts";

export type Kind = {
  /** Ends the sentence "the field is". */
  says: string;
  holds(value: unknown, run: Run): boolean;
};

const matching = (says: string, pattern: RegExp): Kind => ({
  says,
  holds: (value) => typeof value === "string" && pattern.test(value),
});

const isObject = (value: unknown) =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const text: Kind = { says: "a string", holds: (value) => typeof value === "string" };
export const uuid = matching(
  "a string in UUID form",
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
);
export const digits = matching("a string of digits", /^\d+$/);
export const letter = matching("a string of a single letter", /^\p{L}$/u);
export const word = matching("a lower-case word", /^[a-z][a-z_]*$/);
export const capitals = matching("an upper-case word", /^[A-Z][A-Z_]*$/);
export const date = matching("a date, YYYY-MM-DD, as a string", /^\d{4}-\d\d-\d\d$/);
export const time = matching("milliseconds since the Unix epoch, as a string", /^\d{13}$/);
export const plus = matching("a string with a leading plus sign", /^\+\d+$/);
export const timeNumber: Kind = {
  says: "milliseconds since the Unix epoch, as a number",
  holds: (value) => Number.isSafeInteger(value) && /^\d{13}$/.test(String(value)),
};
export const boolean: Kind = {
  says: "a boolean",
  holds: (value) => typeof value === "boolean",
};
export const object: Kind = { says: "an object", holds: isObject };
export const array: Kind = { says: "an array", holds: Array.isArray };
/** The document says that it is there, and not of which type. */
export const anything: Kind = {
  says: "there, also where it is null",
  holds: (value) => value !== undefined,
};

/** An unset text comes back as an empty string. */
export const orEmpty = (kind: Kind): Kind => ({
  says: `${kind.says}, or empty`,
  holds: (value, run) => value === "" || kind.holds(value, run),
});

export const exactly = (wanted: unknown): Kind => ({
  says: JSON.stringify(wanted),
  holds: (value) => JSON.stringify(value) === JSON.stringify(wanted),
});

export const containing = (part: string): Kind => ({
  says: `a string with "${part}"`,
  holds: (value) => typeof value === "string" && value.includes(part),
});

export const problems: Kind = {
  says: "an array of objects, each with `code` and `message`, which are strings",
  holds: (value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(
      (one) => isObject(one) && typeof one.code === "string" && typeof one.message === "string",
    ),
};

const byType: Readonly<Record<string, Kind>> = {
  string: text,
  number: { says: "a number", holds: (value) => typeof value === "number" },
  boolean,
  object,
  array,
  null: { says: "null", holds: (value) => value === null },
};

/** A type such as "null|string", or "number?" for a field that may be absent. */
export function ofType(type: string): Kind {
  const isOptional = type.endsWith("?");
  const names = type.replace("?", "").split("|");
  const kinds = names.map((name) => byType[name] ?? anything);
  const says = kinds.map((kind) => kind.says).join(" or ");
  return {
    says: isOptional ? `${says}, where it is there` : says,
    holds: (value, run) =>
      (isOptional && value === undefined) || kinds.some((kind) => kind.holds(value, run)),
  };
}

/** What only this run knows, such as the email that it sent. */
export const known = (says: string, wanted: (run: Run) => unknown): Kind => ({
  says,
  holds: (value, run) => value === wanted(run),
});
