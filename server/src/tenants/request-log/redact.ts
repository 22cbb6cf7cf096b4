// Redacts requests for the log by an allow-list. A value is kept only if the table names its field and it has the expected
// form; a field name is kept only if a schema has it. The output is ASCII. Pure.

import { iso31661Alpha3ToAlpha2 } from "iso-3166";
import { isCurrency, isUuid, readCursor, withoutEventPrefix } from "../../platform/base/index.ts";
import { eventTypes } from "../../platform/event-catalogue/index.ts";

/** Replaces a value that is not kept. No kept value can equal it. */
export const hidden = "*";

type IsKept = (value: unknown) => boolean;

const text =
  (isKept: (value: string) => boolean): IsKept =>
  (value) =>
    typeof value === "string" && isKept(value);
const word = (...words: string[]) => text((value) => words.includes(value));
const digits = (min: number, max: number): IsKept => {
  const pattern = new RegExp(`^\\d{${min},${max}}$`);
  return (value) => pattern.test(typeof value === "number" ? String(value) : toText(value));
};
const toText = (value: unknown) => (typeof value === "string" ? value : "");

const id = text((value) => isUuid(withoutEventPrefix(value)));
const flag: IsKept = (value) => typeof value === "boolean";
/** Milliseconds since the epoch. */
const moment = digits(12, 13);

/** Everything else is hidden: personal data, and every free text. */
const keptFields: Record<string, IsKept> = {
  id,
  receiver_id: id,
  account_id: id,
  receiver_account_id: id,
  payout_id: id,
  batch_id: id,
  last_event_id: id,
  amount: digits(1, 16),
  currency: text(isCurrency),
  // The country of a bank account, which decides its rules.
  country: text((value) => Object.hasOwn(iso31661Alpha3ToAlpha2, value)),
  account_type: word("I", "B"),
  allow_duplicate: flag,
  include_delivered: flag,
  overlap_s: digits(1, 6),
  type: word(...["kyc", "payout"], ...eventTypes),
  status: word(
    ...["0", "1", "2", "3", "4", "creating", "pending", "active", "inactive", "failed"],
    ...["successful", "success", "fail", "return"],
    ...["waiting", "delivered", "undelivered", "unsent"],
  ),
  kyc_status: word("0", "1", "2", "pending", "completed", "failed"),
  from: moment,
  to: moment,
  since: moment,
  until: moment,
  limit: digits(1, 4),
  cursor: text((value) => readCursor(value) !== undefined),
};

/** Lists of objects whose fields are redacted one by one, for the first `listedMax` objects. */
const lists = new Set(["payouts"]);
const listedMax = 5;
const parametersMax = 20;
const plansMax = 50;
const planFieldsMax = 50;

export type Redactor = ReturnType<typeof redactor>;

/** For all objects with the same fields: the text before each value that may be kept, and the end. */
type Plan = {
  fields: readonly string[];
  looked: { name: string; before: string }[];
  end: string;
  /** The field names. A name whose value may be kept is followed by a mark. */
  shape: string;
};

const keptMark = "=";

type NumberOf = (shape: string) => number | undefined;

/** `names`: the field names of all schemas. `numberOf`: the number of a shape, if it has one. */
export function redactor(names: Iterable<string>, numberOf: NumberOf) {
  const known = new Set([...names, ...Object.keys(keptFields)]);
  const hiddenValue = `"${hidden}"`;
  let plans: Plan[] = [];

  /** The part of a row's detail that holds the redacted body. */
  function bodyText(sent: unknown): string {
    if (!isObject(sent)) return `"body":${hiddenValue}`;
    const plan = planFor(sent);
    // An empty object needs no shape.
    const number = plan.shape === "" ? undefined : numberOf(plan.shape);
    if (number === undefined) return `"body":${objectText(sent, plan)}`;
    const kept = plan.looked.map(({ name }) => valueText(name, sent[name]));
    return `"shape":${number},"kept":[${kept.join()}]`;
  }

  function objectText(sent: Record<string, unknown>, { looked, end } = planFor(sent)): string {
    let text = "";
    for (const { name, before } of looked) text += before + valueText(name, sent[name]);
    return text + end;
  }

  /** Most bodies have the same fields in the same order, so plans are kept. */
  function planFor(sent: Record<string, unknown>): Plan {
    const fields = Object.keys(sent);
    const found = plans.find((plan) => isSame(plan.fields, fields));
    if (found) return found;
    const plan = planOf(fields);
    if (plans.length >= plansMax) plans = [];
    if (fields.length <= planFieldsMax) plans.push(plan);
    return plan;
  }

  function planOf(fields: readonly string[]): Plan {
    const looked: Plan["looked"] = [];
    let text = "{";
    const shown = [...new Set(fields.map((name) => (known.has(name) ? name : hidden)))];
    const isLooked = (name: string) => Object.hasOwn(keptFields, name) || lists.has(name);
    for (const name of shown) {
      text += `${text === "{" ? "" : ","}"${name}":`;
      if (isLooked(name)) {
        looked.push({ name, before: text });
        text = "";
      } else text += hiddenValue;
    }
    const shape = shown.map((name) => (isLooked(name) ? name + keptMark : name)).join();
    return { fields, looked, end: `${text}}`, shape };
  }

  function valueText(name: string, value: unknown): string {
    if (lists.has(name)) return Array.isArray(value) ? listText(value) : hiddenValue;
    if (!keptFields[name]?.(value)) return hiddenValue;
    // Kept values have no characters that JSON would escape.
    return typeof value === "string" ? `"${value}"` : String(value);
  }

  function listText(values: readonly unknown[]): string {
    const shown = values
      .slice(0, listedMax)
      .map((value) => (isObject(value) ? objectText(value) : hiddenValue));
    if (values.length > listedMax) shown.push(`"and ${values.length - listedMax} more"`);
    return `[${shown.join(",")}]`;
  }

  /** Redacts a query string, given without the question mark. */
  function queryText(query: string): string {
    const shown = query.split("&", parametersMax).map((parameter) => {
      const [name = "", value = ""] = parameter.split("=", 2).map(decoded);
      const isKept = Object.hasOwn(keptFields, name) && keptFields[name]?.(value);
      return `${known.has(name) ? name : hidden}=${isKept ? value : hidden}`;
    });
    return shown.join("&");
  }

  return {
    bodyText,
    queryText,
    isKnown: (name: string) => known.has(name),
  };
}

/** Restores a detail that was stored with the number of its shape. */
export function unfolded(detail: string, shape: string): string {
  const {
    shape: _number,
    kept,
    ...rest
  } = JSON.parse(detail) as { shape: number; kept: unknown[] };
  const values = kept[Symbol.iterator]();
  const body = shape.split(",").map((field) => {
    const isKept = field.endsWith(keptMark);
    return isKept ? [field.slice(0, -keptMark.length), values.next().value] : [field, hidden];
  });
  return JSON.stringify({ body: Object.fromEntries(body), ...rest });
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index += 1)
    if (left[index] !== right[index]) return false;
  return true;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll("+", " "));
  } catch {
    return "";
  }
}
