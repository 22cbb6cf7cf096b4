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

export type Redactor = ReturnType<typeof redactor>;

type Field = {
  /** With a comma before it: `,"name":` */
  start: string;
  /** The whole of it, where its value is not kept. */
  hiddenText: string;
  isKept: IsKept | undefined;
  isList: boolean;
};

/** `names`: of every field that a schema knows. */
export function redactor(names: Iterable<string>) {
  const hiddenValue = `"${hidden}"`;
  const fieldOf = (name: string): Field => ({
    start: `,"${name}":`,
    hiddenText: `,"${name}":${hiddenValue}`,
    isKept: keptFields[name],
    isList: lists.has(name),
  });
  const unknown = fieldOf(hidden);
  const fields = new Map<string, Field>();
  for (const name of [...names, ...Object.keys(keptFields)]) fields.set(name, fieldOf(name));

  // Once for every write, so it makes as few pieces of text as can be.
  function objectText(sent: Record<string, unknown>): string {
    let all = "";
    let hasUnknown = false;
    for (const name in sent) {
      const field = fields.get(name);
      if (field === undefined) hasUnknown = true;
      else if (field.isKept === undefined && !field.isList) all += field.hiddenText;
      else all += shownText(field, sent[name]);
    }
    if (hasUnknown) all += unknown.hiddenText;
    return `{${all.slice(1)}}`;
  }

  function shownText({ start, hiddenText, isKept, isList }: Field, value: unknown): string {
    if (isList && Array.isArray(value)) return start + listText(value);
    if (!isKept?.(value)) return hiddenText;
    // What is kept has no character that JSON would have to escape.
    return typeof value === "string" ? `${start}"${value}"` : start + value;
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
      const isKept = fields.get(name)?.isKept?.(value);
      return `${fields.has(name) ? name : hidden}=${isKept ? value : hidden}`;
    });
    return shown.join("&");
  }

  return {
    bodyText: (sent: unknown) => (isObject(sent) ? objectText(sent) : hiddenValue),
    queryText,
    isKnown: (name: string) => fields.has(name),
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
