// What an open debit may be, each with its reasons: a bank charge, or files and payouts that fit in part. A user confirms.

import type { Runner } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { listCandidates } from "../answers/index.ts";
import { comparableText } from "../files/index.ts";
import { isCharge } from "./line-facts.ts";
import { listSentBatches } from "./match-queries.ts";
import type { StatementLineRow } from "./queries.ts";
import { type StatementRuleName, statementRules } from "./rules.ts";

export type LineSuggestion = {
  rule: StatementRuleName;
  kind: "company" | "batch" | "payout";
  batchId: string | undefined;
  payoutId: string | undefined;
  subaccountId: string | undefined;
  reasons: string[];
};

const dayMs = 86_400_000;
/** Banks book some days before or after. */
const daysApart = 7;

/** Best first. */
export async function suggestFor(db: Runner, line: StatementLineRow): Promise<LineSuggestion[]> {
  if (line.status !== "open" || BigInt(line.amount) > 0n) return [];
  const dateOf = (days: number) =>
    new Date(Date.parse(line.day) + days * dayMs).toISOString().slice(0, 10);
  const near = { fromDay: dateOf(-daysApart), toDay: dateOf(daysApart) };
  const amount = (-BigInt(line.amount)).toString();
  const none = { batchId: undefined, payoutId: undefined, subaccountId: undefined };
  const suggestions: LineSuggestion[] = [];
  if (isCharge(line)) {
    const reasons = [statementRules.bank_charge.needs];
    suggestions.push({ ...none, rule: "bank_charge", kind: "company", reasons });
  }
  const batches = await listSentBatches(db, { connectionId: line.connection_id, ...near });
  for (const batch of batches) {
    const left = BigInt(batch.total) - BigInt(batch.rejected) - BigInt(batch.matched);
    if (left.toString() !== amount) continue;
    const reasons = ["same amount", batch.process_date === line.day ? "same day" : ""];
    suggestions.push({
      ...none,
      rule: "similar",
      kind: "batch",
      batchId: batch.id,
      reasons: reasons.filter((reason) => reason !== ""),
    });
  }
  const payouts = await listCandidates(db, {
    connectionId: line.connection_id,
    fromDate: near.fromDay,
    toDate: near.toDay,
    amount,
    reference: line.reference,
    payoutId: null,
    limit: limits.suspenseCandidatesMax,
  });
  for (const payout of payouts) {
    const facts: [boolean, string][] = [
      [payout.amount === amount, "same amount"],
      [payout.process_date === line.day, "same day"],
      [isSameText(line, payout.file_reference), "same reference"],
      [
        line.account_tail !== "" && payout.account_number_tail.endsWith(line.account_tail),
        "same last digits of the account",
      ],
    ];
    const reasons = facts.filter(([isTrue]) => isTrue).map(([, reason]) => reason);
    if (reasons.length < 2) continue;
    suggestions.push({
      ...none,
      rule: "similar",
      kind: "payout",
      payoutId: payout.payout_id,
      subaccountId: payout.subaccount_id,
      reasons,
    });
  }
  return suggestions.sort((one, other) => other.reasons.length - one.reasons.length);
}

function isSameText({ reference, bank_text }: StatementLineRow, text: string): boolean {
  const wanted = comparableText(text);
  return wanted !== "" && comparableText(`${reference} ${bank_text}`).includes(wanted);
}
