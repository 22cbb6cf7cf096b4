// Entries of a payout's timeline about rules, holds and single approvals. Only for users who read the audit log. Pure.

import type { HoldReason, PayoutHold, RuleMatchRow } from "../../../money/payouts/index.ts";
import { figuresInWords } from "../../../money/rules/index.ts";
import { actorInWords, type Names } from "../../review-list/index.ts";
import type { TimelineEntry } from "./schema.ts";

/** When the payout was created, each rule that applied, with its figures. */
export function ruleEntries(
  matches: readonly RuleMatchRow[],
  { createdAtMs, currency }: { createdAtMs: number; currency: string },
): TimelineEntry[] {
  return matches.map((match) => ({
    at: createdAtMs,
    kind: "rule",
    title: `Rule: ${match.name}`,
    detail: [figuresInWords(match.figures, currency), actInWords(match), `version ${match.version}`]
      .filter((text) => text !== "")
      .join("; "),
    who: "",
    tone: "warning",
    links: [],
  }));
}

/** The rule, its figures and what it asks for, in one line. */
export function ruleInWords(match: RuleMatchRow, currency: string): string {
  const rest = [figuresInWords(match.figures, currency), actInWords(match)];
  return `${match.name} (${rest.filter((text) => text !== "").join("; ")})`;
}

function actInWords({ act, approvals, role }: RuleMatchRow): string {
  if (act === "hold") return "on hold";
  if (act === "second_person") return "needs approval";
  return `needs approval by ${approvals} ${approvals === 1 ? "user" : "users"}${role ? ` with the role ${role}` : ""}`;
}

/** Why it was on hold, and the reason of the user who ended it. Callers see neither. */
export function holdEntries(
  holds: readonly PayoutHold[],
  matches: readonly RuleMatchRow[],
  names: Names,
): TimelineEntry[] {
  return holds.flatMap((hold) => {
    const held: TimelineEntry = {
      at: Number(hold.since_ms),
      kind: "rule",
      title: "Why it is on hold",
      detail: hold.reasons.map((reason) => reasonInWords(reason, matches)).join("; "),
      who: "",
      tone: "warning",
      links: [],
    };
    if (hold.decision === null || hold.decided_why === "") return [held];
    const ended: TimelineEntry = {
      ...held,
      at: Number(hold.decided_at_ms),
      kind: "act",
      title: hold.decision === "released" ? "Why it was released" : "Why it was refused",
      detail: hold.decided_why,
      who: actorInWords(hold.decided_by ?? "", names),
      tone: "plain",
    };
    return [held, ended];
  });
}

function reasonInWords(reason: HoldReason, matches: readonly RuleMatchRow[]): string {
  if (reason.kind === "screening") return "screening hit of the receiver";
  const match = matches.find(({ rule_id }) => rule_id === reason.rule_id);
  return `rule: ${match?.name ?? reason.rule_id}`;
}
