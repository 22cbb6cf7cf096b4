// A match of a line as it is recorded. Pure.

import { newId } from "../../platform/base/index.ts";
import type { MatchKind, MatchRow } from "./match-queries.ts";
import type { MatchRule } from "./rules.ts";

type MatchFacts = {
  lineId: string;
  kind: MatchKind;
  rule: MatchRule;
  reason: string;
  /** Signed, as the line. */
  amount: bigint;
  actId?: string | undefined;
  batchId?: string | null | undefined;
  subaccountId?: string | null | undefined;
  payoutId?: string | null | undefined;
  transferId?: string | null | undefined;
  undoesId?: string | undefined;
};

export function newMatch(facts: MatchFacts): MatchRow {
  const id = newId();
  return {
    id,
    line_id: facts.lineId,
    act_id: facts.actId ?? id,
    kind: facts.kind,
    rule: facts.rule,
    reason: facts.reason,
    amount: facts.amount.toString(),
    batch_id: facts.batchId ?? null,
    subaccount_id: facts.subaccountId ?? null,
    payout_id: facts.payoutId ?? null,
    transfer_id: facts.transferId ?? null,
    undoes_id: facts.undoesId ?? null,
  };
}
