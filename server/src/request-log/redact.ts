// What of a request may be written down. Of everything that a caller sends, only what this table names, and only
// where it looks as it should; names of fields only where a schema knows them. All that comes out is ASCII. Pure.

import { iso31661Alpha3ToAlpha2 } from "iso-3166";
import { readCursor } from "../cursor.ts";
import { isUuid } from "../ids.ts";
import { isCurrency } from "../money.ts";

/** Stands for what was sent and is not kept. No value that is kept can look like it. */
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

const id = text((value) => isUuid(value.startsWith("evt_") ? value.slice(4) : value));
const flag: IsKept = (value) => typeof value === "boolean";
/** Milliseconds since the epoch, of any time that somebody may mean. */
const moment = digits(12, 13);

/** Everything else is hidden: whatever is about a person, and every text that somebody has written. */
export const keptFields: Record<string, IsKept> = {
  id,
  receiver_id: id,
  account_id: id,
  receiver_account_id: id,
  payout_id: id,
  batch_id: id,
  last_event_id: id,
  amount: digits(1, 16),
  currency: text(isCurrency),
  // Of a bank account: which rules it has to follow.
  country: text((value) => Object.hasOwn(iso31661Alpha3ToAlpha2, value)),
  account_type: word("I", "B"),
  allow_duplicate: flag,
  include_delivered: flag,
  overlap_s: digits(1, 6),
  type: word(
    ...["kyc", "payout"],
    ...["payoutCreated", "payoutUpdate", "payoutFailure", "receiverKycUpdate"],
  ),
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

/** Lists of objects whose fields are looked at one by one, up to so many. */
const lists = new Set(["payouts"]);
const listedMax = 5;
const parametersMax = 20;
const plansMax = 1_000;
const planCharsMax = 1_000;

export type Redactor = ReturnType<typeof redactor>;

/** The text of all objects with the same fields: what stands before each value that may be kept, and the end. */
type Plan = { looked: { name: string; before: string }[]; end: string };

/** `names`: of every field that a schema knows. */
export function redactor(names: Iterable<string>) {
  const known = new Set([...names, ...Object.keys(keptFields)]);
  const hiddenValue = `"${hidden}"`;
  const plans = new Map<string, Plan>();

  // Bodies of one kind have the same fields, again and again: only the values that may be kept are looked at.
  function objectText(sent: Record<string, unknown>): string {
    const fields = Object.keys(sent);
    const all = fields.join();
    let plan = plans.get(all);
    if (plan === undefined) {
      plan = planOf(fields);
      if (plans.size >= plansMax) plans.clear();
      if (all.length <= planCharsMax) plans.set(all, plan);
    }
    let text = "";
    for (const { name, before } of plan.looked) text += before + valueText(name, sent[name]);
    return text + plan.end;
  }

  function planOf(fields: readonly string[]): Plan {
    const looked: Plan["looked"] = [];
    let text = "{";
    const shown = new Set(fields.map((name) => (known.has(name) ? name : hidden)));
    for (const name of shown) {
      text += `${text === "{" ? "" : ","}"${name}":`;
      if (Object.hasOwn(keptFields, name) || lists.has(name)) {
        looked.push({ name, before: text });
        text = "";
      } else text += hiddenValue;
    }
    return { looked, end: `${text}}` };
  }

  function valueText(name: string, value: unknown): string {
    if (lists.has(name)) return Array.isArray(value) ? listText(value) : hiddenValue;
    if (!keptFields[name]?.(value)) return hiddenValue;
    // What is kept has no character that JSON would have to escape.
    return typeof value === "string" ? `"${value}"` : String(value);
  }

  function listText(values: readonly unknown[]): string {
    const shown = values
      .slice(0, listedMax)
      .map((value) => (isObject(value) ? objectText(value) : hiddenValue));
    if (values.length > listedMax) shown.push(`"and ${values.length - listedMax} more"`);
    return `[${shown.join(",")}]`;
  }

  /** The parameters of an address, without the question mark. */
  function queryText(query: string): string {
    const shown = query.split("&", parametersMax).map((parameter) => {
      const [name = "", value = ""] = parameter.split("=", 2).map(decoded);
      const isKept = Object.hasOwn(keptFields, name) && keptFields[name]?.(value);
      return `${known.has(name) ? name : hidden}=${isKept ? value : hidden}`;
    });
    return shown.join("&");
  }

  return {
    bodyText: (sent: unknown) => (isObject(sent) ? objectText(sent) : hiddenValue),
    queryText,
    isKnown: (name: string) => known.has(name),
  };
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
