// Entries of a payout's timeline about rules, holds and single approvals. Only for users who read the audit log. Pure.

import { formatGrouped } from "../../money.ts";
import type { HoldReason, PayoutHold } from "../../payouts/hold-queries.ts";
import type { RuleMatchRow } from "../../payouts/rule-match-queries.ts";
import type { TimelineEntry } from "./schema.ts";
import { actorInWords, type Names } from "./who.ts";

const windowWords: Record<string, string> = {
  hour: "within an hour",
  day: "within a day",
  month: "within 30 days",
};

/** When the payout was created, each rule that applied, with its figures. */
export function ruleEntries(
  matches: readonly RuleMatchRow[],
  { createdAtMs, currency }: { createdAtMs: number; currency: string },
): TimelineEntry[] {
  return matches.map((match) => ({
    at: createdAtMs,
    kind: "rule",
    title: `Rule: ${match.name}`,
    detail: [figuresInWords(match, currency), actInWords(match), `version ${match.version}`]
      .filter((text) => text !== "")
      .join("; "),
    who: "",
    tone: "warning",
    links: [],
  }));
}

export function figuresInWords({ figures }: Pick<RuleMatchRow, "figures">, currency: string) {
  const money = (value: string | number | undefined) =>
    /^\d+$/.test(String(value)) ? formatGrouped(BigInt(String(value)), currency) : String(value);
  const { of, window } = figures;
  const span = windowWords[String(window)] ?? "";
  if (figures.sum !== undefined) {
    return `${of}: ${money(figures.sum)} ${span}, above ${money(figures.above)}`;
  }
  if (figures.count !== undefined) {
    return `${of}: ${figures.count} payouts ${span}, above ${figures.above}`;
  }
  if (figures.median !== undefined) {
    return `${money(figures.amount)} is over ${figures.times} times the median ${money(figures.median)}`;
  }
  if (figures.changed_at_ms !== undefined) {
    const changed = new Date(Number(figures.changed_at_ms)).toISOString();
    return `bank details changed at ${changed}, within ${figures.within_hours} hours`;
  }
  if (figures.other_receivers !== undefined) {
    return `the same account at ${figures.other_receivers} other receivers`;
  }
  return Object.values(figures).map(String).join(", ").replaceAll("_", " ");
}

function actInWords({ act, approvals, role }: RuleMatchRow): string {
  if (act === "hold") return "on hold";
  if (act === "second_person") return "needs a second user";
  return `needs ${approvals} ${role ?? "users"}`;
}

/** Why it was on hold, and the reason of the user who ended it. Callers see neither. */
export function holdEntries(holds: readonly PayoutHold[], names: Names): TimelineEntry[] {
  return holds.flatMap((hold) => {
    const held: TimelineEntry = {
      at: Number(hold.since_ms),
      kind: "rule",
      title: "Reasons of the hold",
      detail: hold.reasons.map(reasonInWords).join("; "),
      who: "",
      tone: "warning",
      links: [],
    };
    if (hold.decision === null || hold.decided_why === "") return [held];
    const ended: TimelineEntry = {
      ...held,
      at: Number(hold.decided_at_ms),
      kind: "act",
      title: hold.decision === "released" ? "Reason of the release" : "Reason of the refusal",
      detail: hold.decided_why,
      who: actorInWords(hold.decided_by ?? "", names),
      tone: "plain",
    };
    return [held, ended];
  });
}

function reasonInWords(reason: HoldReason): string {
  if (reason.kind === "screening") return "screening hit of the receiver";
  return reason.kind === "user" ? reason.text : `rule ${reason.rule_id}`;
}
