// A rule as one plain sentence: "Hold when a receiver gets more than 5,000.00 AUD in a day". Pure.

import { format } from "../../platform/base/index.ts";
import type { Rule } from "./rule.ts";

const windows = { hour: "an hour", day: "a day", month: "30 days" } as const;

const subjects = {
  receiver: "a receiver gets",
  account: "an account gets",
  subaccount: "a subaccount pays",
} as const;

export function ruleSentence(rule: Rule): string {
  return [actWords(rule.then), conditionWords(rule), ...scopeWords(rule)].join(" ");
}

function actWords(then: Rule["then"]): string {
  if (then.act === "hold") return "Hold";
  if (then.act === "refuse") return "Refuse";
  if (then.act === "second_person") return "Ask for approval by a second user";
  const { count, role } = then;
  const users = count === 1 ? "user" : "users";
  return `Ask for approval by ${count} ${users}${role && ` with the role ${role}`}`;
}

function conditionWords({ when, currency }: Rule): string {
  switch (when.fact) {
    case "sum":
      return `when ${subjects[when.of]} more than ${moneyWords(when.above, currency)} in ${windows[when.window]}`;
    case "count": {
      const payouts = when.above === 1 ? "payout" : "payouts";
      return `when ${subjects[when.of]} more than ${countWords(when.above)} ${payouts} in ${windows[when.window]}`;
    }
    case "first_payout":
      return "when an account is paid for the first time";
    case "details_changed":
      return `when the bank details changed less than ${hours(when.within_hours)} ago`;
    case "shared_account":
      return "when another receiver has the same account";
    case "above_median":
      return `when a payout is more than ${when.times} times the median of the receiver's last ten payouts`;
    case "country":
      return `when the account or the receiver is in ${listWords(when.in)}`;
    case "screening_review":
      return "when the receiver has an open or confirmed hit";
    case "identity_review":
      return "when the identity check of the receiver waits for a review";
    case "payee_name":
      return `when the payee name check says ${listWords(when.in.map((result) => result.replaceAll("_", " ")))}`;
  }
}

/** Where it applies, as far as it is not everywhere. */
function scopeWords({ when, currency, mode, subaccount_ids: { length } }: Rule): string[] {
  const scope: string[] = [];
  if (currency !== "" && when.fact !== "sum") scope.push(`in ${currency}`);
  if (mode) scope.push(`in ${mode} mode`);
  if (length > 0) scope.push(`of ${length} ${length === 1 ? "subaccount" : "subaccounts"}`);
  return scope.length === 0 ? [] : [`(${scope.join(", ")})`];
}

function moneyWords(above: number, currency: string): string {
  return currency === ""
    ? `${countWords(above)} minor units of a currency`
    : format(BigInt(above), currency);
}

function countWords(count: number): string {
  return count.toLocaleString("en");
}

function hours(count: number): string {
  return count === 1 ? "1 hour" : `${count} hours`;
}

function listWords(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
