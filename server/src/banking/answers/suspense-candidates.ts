// The payouts that a suspense item may be about, and the subaccounts that its money may be for, each with the reasons.

import { findByDepositReference, similarDepositReferences } from "../../money/ledger/index.ts";
import type { Runner } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { findSubaccounts } from "../../tenants/subaccounts/index.ts";
import { listConnections } from "../connections/index.ts";
import { comparableText } from "../files/index.ts";
import {
  listCandidates,
  listEarlierPayers,
  type SuspenseCandidate,
  type SuspenseRow,
} from "./suspense-queries.ts";

export type Candidate = SuspenseCandidate & { reasons: string[] };

const dayMs = 86_400_000;
/** Banks return payments within weeks. */
const daysBack = 45;

/** What a user looks for: part of a name or reference, or an amount. */
export type CandidateWords = { text: string; amount: string | null };

type Reported = Pick<
  SuspenseRow,
  "connection_id" | "payout_id" | "day" | "created_at_ms" | "amount" | "reference" | "account_tail"
>;

/** Best first. */
export async function candidatesOf(
  db: Runner,
  item: Reported,
  words?: CandidateWords,
): Promise<Candidate[]> {
  const endMs = item.day === "" ? Number(item.created_at_ms) : Date.parse(item.day);
  const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const found = await listCandidates(db, {
    connectionId: item.connection_id,
    fromDate: dateOf(endMs - daysBack * dayMs),
    // A file may be processed some days later than its date, or earlier. A user may look further.
    toDate: dateOf(endMs + (words ? daysBack : 7) * dayMs),
    amount: words ? words.amount : item.amount,
    text: words?.text ?? "",
    reference: item.reference,
    payoutId: item.payout_id,
    limit: limits.suspenseCandidatesMax,
  });
  return found
    .map((candidate) => ({ ...candidate, reasons: reasonsFor(item, candidate) }))
    .sort((one, other) => other.reasons.length - one.reasons.length);
}

function reasonsFor(item: Reported, candidate: SuspenseCandidate): string[] {
  const isSameReference =
    item.reference !== "" &&
    comparableText(item.reference) === comparableText(candidate.file_reference);
  const isSameTail =
    item.account_tail !== "" && candidate.account_number_tail.endsWith(item.account_tail);
  const facts: [boolean, string][] = [
    [item.payout_id === candidate.payout_id, "the bank names it"],
    [item.amount === candidate.amount, "same amount"],
    [isSameReference, "same reference"],
    [isSameTail, "same last digits of the account"],
    [item.day === candidate.process_date, "same day"],
  ];
  return facts.filter(([isTrue]) => isTrue).map(([, reason]) => reason);
}

export type FundingCandidate = { subaccountId: string; name: string; reasons: string[] };

/** The subaccounts that a credit may fund: only a user knows. Best first. */
export async function fundingCandidatesOf(
  db: Runner,
  item: SuspenseRow,
): Promise<FundingCandidate[]> {
  if (item.kind !== "credit") return [];
  const reasons = new Map<string, string[]>();
  const add = (id: string, reason: string) => reasons.set(id, [...(reasons.get(id) ?? []), reason]);
  const similar = similarDepositReferences(`${item.reference} ${item.bank_text}`);
  for (const owner of await findByDepositReference(db, similar)) {
    if (owner.currency !== item.currency) continue;
    add(owner.subaccount_id, "its deposit reference differs in one place");
  }
  const payers = await listEarlierPayers(db, item, limits.inboundCandidatesMax);
  for (const { subaccount_id } of payers) add(subaccount_id, "the same payer funded it before");
  const connections = await listConnections(db);
  const mode = connections.find(({ id }) => id === item.connection_id)?.mode;
  const found = await findSubaccounts(db, [...reasons.keys()]);
  return found
    .filter((subaccount) => subaccount.mode === mode && !subaccount.is_closed)
    .map(({ id, name }) => ({ subaccountId: id, name, reasons: reasons.get(id) ?? [] }))
    .sort((one, other) => other.reasons.length - one.reasons.length);
}
