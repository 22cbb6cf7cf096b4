// A promise: a row of the table, and the checks of its response.

import { exactly, type Kind } from "./kinds.ts";
import { shownValue } from "./mask.ts";
import { type Call, type Exchange, type Run, valueAt } from "./run.ts";

export type Promised = {
  /** Of the published document by its number; of ours by its heading in docs/api/interface.md. */
  section: string;
  /** Names the line in every report. It never changes. */
  name: string;
  promise: string;
  call: Call;
  check: Check;
};

/** `line`: its name and what it promises, with a colon between them. */
export function row(section: string, line: string, call: Call, check: Check): Promised {
  const [name = ""] = line.split(": ", 1);
  return { section, name, promise: line.slice(name.length + 2), call, check };
}

/** A row for each field of a resource. */
export const fieldRows = (
  section: string,
  name: string,
  call: Call,
  fields: Fields,
  path = "payload",
) =>
  Object.entries(fields).map(([field, kind]) =>
    row(
      section,
      `${name}.${field}: \`${field}\` is ${kind.says}`,
      call,
      at(`${path}.${field}`, kind),
    ),
  );

export type Verdict = { holds: boolean; expected: string; seen: string };
export type Check = (exchange: Exchange, run: Run) => Verdict | Promise<Verdict>;

export const status =
  (wanted: number): Check =>
  (exchange) => ({
    holds: exchange.status === wanted,
    expected: `status ${wanted}`,
    seen: exchange.status === wanted ? `status ${wanted}` : answerOf(exchange),
  });

const answerOf = ({ status, text }: Exchange) => `status ${status} ${text}`;

/** The document does not show how, so any refusal is one. */
export const refused: Check = (exchange) => ({
  holds: exchange.status >= 400 && valueAt(exchange.json, "payload") === undefined,
  expected: "a refusal",
  seen: answerOf(exchange),
});

/** A value of the response. */
export const at =
  (path: string, kind: Kind): Check =>
  ({ json }, run) => {
    const value = valueAt(json, path);
    return {
      holds: kind.holds(value, run),
      expected: `${path}: ${kind.says}`,
      seen: `${path}: ${shownValue(value, path)}`,
    };
  };

/** The resource is the one that the path named. */
export const ofPath: Check = (exchange, run) =>
  at("payload.id", exactly(exchange.request.split("/").at(-1)))(exchange, run);

export const header =
  (name: string, kind: Kind): Check =>
  ({ headers }, run) => {
    const value = headers.get(name) ?? undefined;
    return {
      holds: kind.holds(value, run),
      expected: `${name}: ${kind.says}`,
      seen: `${name}: ${value ?? "nothing"}`,
    };
  };

export const isJson: Check = (exchange) => {
  const type = exchange.headers.get("content-type") ?? "no content type";
  return {
    holds: /^application\/json\b/.test(type) && exchange.json !== undefined,
    expected: "application/json, and a body of JSON",
    seen: exchange.json === undefined ? `${type} ${exchange.text}` : type,
  };
};

export type Fields = Readonly<Record<string, Kind>>;

/** Every record of a list has these fields. */
export const records =
  (fields: Fields): Check =>
  ({ json }, run) => {
    const listed = listOf(json);
    const wrong = listed.flatMap((record, place) =>
      Object.entries(fields)
        .filter(([name, kind]) => !kind.holds(valueAt(record, name), run))
        .map(([name]) => `payload.${place}.${name}: ${shownValue(valueAt(record, name), name)}`),
    );
    return {
      holds: Array.isArray(valueAt(json, "payload")) && wrong.length === 0,
      expected: `of every record ${Object.entries(fields)
        .map(([name, { says }]) => `${name}: ${says}`)
        .join("; ")}`,
      seen: wrong[0] ?? `${listed.length} records`,
    };
  };

export const listOf = (json: unknown): readonly unknown[] => {
  const listed = valueAt(json, "payload");
  return Array.isArray(listed) ? listed : [];
};

export const count = (wanted: number, says = `${wanted} records`): Check =>
  listed(says, (all) => all.length === wanted);

/** What holds of a list as a whole. */
export const listed =
  (says: string, holds: (all: readonly unknown[], run: Run) => boolean): Check =>
  ({ json }, run) => {
    const all = listOf(json);
    return {
      holds: Array.isArray(valueAt(json, "payload")) && holds(all, run),
      expected: says,
      seen: `${all.length} records: ${all.map((one) => shownValue(valueAt(one, "id"), "id")).join(", ")}`,
    };
  };

/** All of these hold; the verdict is that of the first which does not. */
export const all =
  (...checks: readonly Check[]): Check =>
  async (exchange, run) => {
    const verdicts = await Promise.all(checks.map((check) => check(exchange, run)));
    const first = verdicts.find(({ holds }) => !holds);
    const join = (part: "expected" | "seen") => verdicts.map((one) => one[part]).join("; ");
    return first ?? { holds: true, expected: join("expected"), seen: join("seen") };
  };

/** A refusal of the published form. */
export const refusal = (wanted: number, code: string): Check =>
  all(status(wanted), at("error.0.code", exactly(code)));
