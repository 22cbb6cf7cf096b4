// Makes a move of a payout ready to be written, with all that goes with it. The table in states.ts says what.

import { type PayoutFacts, payoutFailure, payoutUpdate } from "../events/outbox.ts";
import { newId } from "../ids.ts";
import type { PayoutMove } from "./move-queries.ts";
import type { PayoutRow } from "./queries.ts";
import { type MoveName, moves } from "./states.ts";

export type MoveRequest = {
  move: MoveName;
  who: string;
  reason: string;
  atMs: number;
  cause?: string;
  causeCode?: string;
  providerReference?: string;
  dueAtMs?: number | undefined;
  leaseMs?: number;
};

export function toPayoutMove(
  payout: PayoutRow & { subaccount_id: string },
  wish: MoveRequest,
): PayoutMove {
  const { move, who, reason, atMs, cause = "", causeCode = "" } = wish;
  const { from, to, transfers, event } = moves[move];
  const facts: PayoutFacts = {
    subaccountId: payout.subaccount_id,
    payoutId: payout.id,
    receiverId: payout.receiver_id,
    accountId: payout.account_id,
    amount: BigInt(payout.amount),
    currency: payout.currency,
    reference: payout.reference,
    atMs,
  };
  const { subaccountId, payoutId, amount, currency, reference } = facts;
  return {
    subaccountId,
    id: payoutId,
    fromStage: from,
    toStage: to,
    who,
    reason,
    atMs,
    cause,
    causeCode,
    providerReference: wish.providerReference,
    dueAtMs: wish.dueAtMs,
    leaseMs: wish.leaseMs,
    historyId: newId(),
    event:
      event === "payoutUpdate"
        ? payoutUpdate(facts)
        : event === "payoutFailure"
          ? payoutFailure(facts, cause)
          : undefined,
    transfers: transfers.map((kind) => ({
      ...{ subaccountId, currency, amount, payoutId, reference, atMs, who },
      id: newId(),
      kind,
      rail: payout.rail,
    })),
  };
}
