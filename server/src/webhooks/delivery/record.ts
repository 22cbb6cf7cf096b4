// Records the outcome of each attempt: one statement at a time writes all outcomes that have come in since the last.

import { setTimeout as sleep } from "node:timers/promises";
import { batch, oneAfterTheOther, spanOf } from "../../platform/batching/index.ts";
import { type Db, isOutage } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { Metrics } from "../../platform/metrics/index.ts";
import { readTraceparent, type TraceContext } from "../../platform/tracing/index.ts";
import type { SentDelivery } from "./lane.ts";
import type { DeliveryOutcomeRow } from "./outcome-queries.ts";
import type { DueDelivery, LaneQueries } from "./queries.ts";
import type { RetryDecision } from "./retry.ts";

const outagePauseMs = 200;

type RecordOutcome = (
  due: DueDelivery,
  epoch: string,
  sent: SentDelivery,
  decision: RetryDecision,
) => Promise<void>;

export function outcomeRecorder(
  db: Db,
  { recordOutcomes }: LaneQueries,
  metrics: Metrics | undefined,
): RecordOutcome {
  // No attempt waits for these writes, so the fuller a statement, the better.
  const write = batch(
    async (outcomes: DeliveryOutcomeRow[]) => {
      const repeated = await recordOutcomes(db, outcomes);
      metrics?.deliveryAckBatch(outcomes.length);
      for (let count = 0; count < repeated; count += 1) metrics?.deliveryDuplicate();
      return outcomes.map(() => undefined);
    },
    oneAfterTheOther,
    { span: spanOf<undefined>(db, "deliveries-record") },
  );

  /** An unrecorded success would be sent again, so an outage of the database is waited for. */
  async function writeDespiteOutage(
    row: DeliveryOutcomeRow,
    trace: TraceContext | undefined,
  ): Promise<void> {
    const endMs = performance.now() + limits.laneSendMarginMs;
    for (;;) {
      try {
        return await write(row, trace);
      } catch (error) {
        if (!isOutage(error) || performance.now() > endMs) throw error;
        await sleep(outagePauseMs);
      }
    }
  }

  return async (due, epoch, { attemptId, posted }, { result, outcome, retryAfterMs }) => {
    const isDelivered = result === "delivered";
    metrics?.deliveryAttempt(outcome);
    if (result === "abandoned") metrics?.deliveryAbandoned();
    const { status, failure, detail, answer, tookMs } = posted;
    const row: DeliveryOutcomeRow = {
      subaccount_id: due.subaccount_id,
      ...(due.endpoint_id && { endpoint_id: due.endpoint_id }),
      epoch,
      number: due.number,
      event_id: due.event_id,
      attempt_id: attemptId,
      attempt: due.attempts + 1,
      result,
      retry_after_ms: retryAfterMs,
      status,
      failure: failure ?? (isDelivered ? undefined : outcome),
      detail,
      took_ms: tookMs,
      answer,
    };
    await writeDespiteOutage(row, tracesOfDelivery(due)[0]);
    if (isDelivered) metrics?.deliveryAcknowledged(secondsSinceDue(due, Date.now()));
  };
}

/** The trace of a delivery or a claimed lane, if it has one. Both are read without it where tracing is off. */
export function tracesOfDelivery({
  traceparent,
}: Pick<DueDelivery, "traceparent">): TraceContext[] {
  const found = traceparent ? readTraceparent(traceparent) : undefined;
  return found && found !== "ignored" ? [found] : [];
}

/** Since the event was committed or, later, resent. */
export function secondsSinceDue({ since_ms }: DueDelivery, nowMs: number): number {
  return Math.max(0, nowMs - Number(since_ms)) / 1000;
}
