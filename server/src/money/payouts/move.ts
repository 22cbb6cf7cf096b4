// Prepares a move of a payout: its new stage, history entry, transfers and event, by the table in states.ts.

import { newId } from "../../platform/base/index.ts";
import {
  type OutboxEvent,
  type PayoutFacts,
  payoutCancelled,
  payoutFailure,
  payoutOnHold,
  payoutReleased,
  payoutReturned,
  payoutUpdate,
} from "../../webhooks/events/index.ts";
import type { PayoutMove } from "./move-queries.ts";
import type { PayoutRow } from "./queries.ts";
import { type LegalMove, type MoveName, moves, stages } from "./states.ts";

export type MoveRequest = {
  move: MoveName;
  who: string;
  reason: string;
  atMs: number;
  cause?: string;
  causeCode?: string;
  providerReference?: string;
  dueAtMs?: number | undefined;
  processDate?: string;
  expectedArrival?: string;
  bankBatchId?: string;
  leaseMs?: number;
};

const writeEvent: Record<
  Exclude<LegalMove["event"], undefined | "payoutCreated">,
  (facts: PayoutFacts, cause: string) => OutboxEvent
> = { payoutUpdate, payoutFailure, payoutOnHold, payoutReleased };

const writeLater = { payoutReturned, payoutCancelled };

export function toPayoutMove(
  payout: PayoutRow & { subaccount_id: string },
  request: MoveRequest,
): PayoutMove {
  const { move, who, reason, atMs, cause = "", causeCode = "" } = request;
  const { from, to, transfers, event, later }: LegalMove = moves[move];
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
  const { subaccountId, payoutId, currency, reference } = facts;
  const fee = BigInt(payout.fee);
  // A fee that was not charged is not given back.
  const posted = fee > 0n ? transfers : transfers.filter((kind) => kind !== "fee_refund");
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
    providerReference: request.providerReference,
    dueAtMs: request.dueAtMs,
    processDate: request.processDate,
    expectedArrival: request.expectedArrival,
    bankBatchId: request.bankBatchId,
    leaseMs: request.leaseMs,
    historyId: newId(),
    event: event && writeEvent[event](facts, cause),
    later: later && [writeLater[later](facts, cause)],
    batchEventId: payout.batch_id && stages[to] !== "pending" ? newId() : undefined,
    transfers: posted.map((kind) => ({
      id: newId(),
      kind,
      subaccountId,
      currency,
      amount: kind === "fee_refund" ? fee : BigInt(payout.sent_amount),
      payoutId,
      reference,
      atMs,
      who,
      rail: payout.rail,
    })),
  };
}
