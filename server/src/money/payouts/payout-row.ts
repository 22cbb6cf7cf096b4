// The row of a payout that was accepted, with its schedule, its event and the ids of its transfers. Pure.

import { type Caller, idTimeMs, newId } from "../../platform/base/index.ts";
import { payoutCreated } from "../../webhooks/events/index.ts";
import type { Charge } from "../rails/index.ts";
import type { OpenRoute, PayoutContext, PayoutRequest } from "./payout.ts";
import type { PayoutToInsert } from "./queries.ts";
import type { Stage } from "./states.ts";

export type PayoutCreation = {
  caller: Caller;
  request: PayoutRequest;
  id: string;
  batchId: string | undefined;
  /** The sum of its payout batch in its currency. */
  batchTotal: bigint | undefined;
  answer: string;
  who: string;
};

export function toPayoutRow(
  { caller, request, id, batchId, who }: PayoutCreation,
  context: PayoutContext,
  { rail, charge }: OpenRoute,
  stage: Stage,
): PayoutToInsert {
  const createdAtMs = idTimeMs(id);
  const { receiverId, accountId, amount, currency, reference, note } = request;
  const { subaccountId } = caller;
  const { dueAtMs, processDate, expectedArrival } = rail.schedule(createdAtMs, request.sendOn);
  const event = payoutCreated({ subaccountId, payoutId: id, ...request, atMs: createdAtMs });
  const row: PayoutToInsert = {
    subaccount_id: subaccountId,
    id,
    batch_id: batchId,
    receiver_id: receiverId,
    account_id: accountId,
    account_version: context.account?.version as number,
    amount: amount.toString(),
    currency,
    reference,
    note,
    stage,
    rail: rail.id,
    created_at_ms: createdAtMs,
    created_by: who,
    due_at_ms: stage === "queued" ? dueAtMs : undefined,
    send_on: request.sendOn,
    statement_reference: request.statementReference,
    purpose: request.purpose,
    process_date: processDate,
    expected_arrival: expectedArrival,
    event_id: event.id,
    event_body: event.body,
    transfer_id: newId(),
    ...(request.metadata && { metadata: request.metadata }),
  };
  return charge.fee > 0n ? { ...row, ...chargedColumns(request, charge) } : row;
}

function chargedColumns({ amount }: PayoutRequest, { fee, sentAmount }: Charge) {
  return {
    fee: fee.toString(),
    sent_amount: sentAmount === amount ? undefined : sentAmount.toString(),
    fee_transfer_id: newId(),
  };
}
