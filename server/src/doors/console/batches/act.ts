// Decides or retries all payouts of a batch that the user was shown. Each payout is decided by itself, with the same
// checks and the same audit entry as alone: what the user may not decide is refused, and does not stop the others.

import { hash } from "node:crypto";
import {
  endFileImport,
  insertFileImport,
  updateImportCounts,
} from "../../../money/imports/index.ts";
import { type Caller, newId } from "../../../platform/base/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { type Actor, audited } from "../../../tenants/audit/index.ts";
import { requireOtherUser } from "../../../tenants/four-eyes/index.ts";
import type { Role } from "../../../tenants/roles/index.ts";
import { approve, type DecideParts, decline } from "../approvals/decide.ts";
import type { RunParts } from "../imports/run-rows.ts";
import { type MakeParts, retryPayout } from "../payouts/make.ts";
import {
  findBatchMakers,
  listFailedOfBatch,
  listWaitingOfBatch,
  type PayoutOfBatch,
} from "./queries.ts";
import { batchTotalsOf } from "./read.ts";
import type { BatchActLine, ShownTotals } from "./schema.ts";

export type PayoutBatchParts = DecideParts & MakeParts & RunParts;

type Acting = {
  actor: Actor;
  role: Role;
  caller: Caller;
  stillMay: () => Promise<boolean>;
};

export async function approvePayoutBatch(
  parts: PayoutBatchParts,
  acting: Acting,
  batchId: string,
  totals: ShownTotals,
): Promise<AsyncGenerator<BatchActLine>> {
  const { subaccountId } = acting.caller;
  const waiting = await listWaitingOfBatch(parts.db, subaccountId, batchId);
  const maker = (await findBatchMakers(parts.db, subaccountId, [batchId])).get(batchId);
  const approval = { who: acting.actor.who, atMs: parts.clock() };
  await requireOtherUser(parts.db, maker === undefined ? [] : [maker], approval);
  await agree(parts, acting, { action: "batch.approve", batchId, payouts: waiting, totals });
  const onDone = async (id: string) => {
    await approve(parts, acting, { subaccountId, id });
    return { outcome: "approved", id } as const;
  };
  return actOnEach(parts, acting, { id: batchId, payouts: waiting, onDone });
}

export async function declinePayoutBatch(
  parts: PayoutBatchParts,
  acting: Acting,
  batchId: string,
  { totals, reason }: { totals: ShownTotals; reason: string },
): Promise<AsyncGenerator<BatchActLine>> {
  const { subaccountId } = acting.caller;
  const waiting = await listWaitingOfBatch(parts.db, subaccountId, batchId);
  await agree(parts, acting, { action: "batch.decline", batchId, payouts: waiting, totals });
  const onDone = async (id: string) => {
    await decline(parts, acting.actor, { subaccountId, id }, reason);
    return { outcome: "declined", id } as const;
  };
  return actOnEach(parts, acting, { id: batchId, payouts: waiting, onDone });
}

/** The new payouts are a batch of their own: the threshold of a batch holds for their sum. */
export async function retryPayoutBatch(
  parts: PayoutBatchParts,
  acting: Acting,
  retryOf: string,
  totals: ShownTotals,
): Promise<AsyncGenerator<BatchActLine>> {
  const { db, clock } = parts;
  const { actor, caller } = acting;
  const { subaccountId } = caller;
  const failed = await listFailedOfBatch(db, subaccountId, retryOf);
  const id = newId();
  await agree(parts, acting, {
    action: "batch.retry",
    batchId: retryOf,
    payouts: failed,
    totals,
    more: { retried_as: id },
  });
  const key = { subaccountId, id };
  const { who } = actor;
  const rows = failed.length;
  const file = { kind: "retry", fileName: "", rows, who, retryOf, atMs: clock() } as const;
  await insertFileImport(db, key, file);
  const batchTotals = new Map(batchTotalsOf(failed).map((total) => [total.currency, total.amount]));
  const onDone = async (payoutId: string) => {
    const made = await retryPayout(
      parts,
      { actor, caller: { ...caller, requestId: newId() } },
      payoutId,
      {
        batchId: id,
        batchTotals,
      },
    );
    return { outcome: "created", id: made } as const;
  };
  const counts = { created: 0, already_imported: 0, refused: 0 };
  const onRow = (outcome: string) => {
    counts[outcome === "created" ? "created" : "refused"] += 1;
    return updateImportCounts(db, key, counts, clock());
  };
  const onEnd = () => endFileImport(db, key, clock());
  return actOnEach(parts, acting, { id, payouts: failed, onDone, onRow, onEnd });
}

type Agreeing = {
  action: string;
  batchId: string;
  payouts: readonly PayoutOfBatch[];
  totals: ShownTotals;
  more?: object;
};

/** The user decides what the page showed: if it has changed since, nothing is decided. */
async function agree(
  { db, seal }: { db: Db; seal: DecideParts["seal"] },
  { actor }: Acting,
  { action, batchId, payouts, totals, more = {} }: Agreeing,
): Promise<void> {
  const now = batchTotalsOf(payouts);
  const textOf = (list: readonly { currency: string; payouts: number; amount: unknown }[]) =>
    list.map(({ currency, payouts, amount }) => `${currency} ${payouts} ${amount}`).sort();
  if (now.length === 0 || textOf(now).join() !== textOf(totals).join()) {
    throw new Refusal("CONS512");
  }
  const after = { totals: now, payouts_sha256: hashOf(payouts), ...more };
  const entry = { action, object: { kind: "batch", id: batchId }, after };
  await audited({ db, seal }, actor).transaction(entry, async () => {});
}

function hashOf(payouts: readonly PayoutOfBatch[]): string {
  return hash("sha256", payouts.map(({ id }) => id).join());
}

type Each = {
  id: string;
  payouts: readonly PayoutOfBatch[];
  onDone: (id: string) => Promise<{ outcome: "created" | "approved" | "declined"; id: string }>;
  onRow?: (outcome: string) => Promise<void>;
  onEnd?: () => Promise<void>;
};

const checkedEvery = 25;

async function* actOnEach(
  { isDraining, log }: RunParts,
  { stillMay }: Acting,
  { id, payouts, onDone, onRow, onEnd }: Each,
): AsyncGenerator<BatchActLine> {
  yield { kind: "start", rows: payouts.length, id };
  let done = 0;
  try {
    for (const [index, payout] of payouts.entries()) {
      const isChecked = index % checkedEvery === 0;
      if (isDraining() || (isChecked && !(await stillMay()))) break;
      const row = index + 1;
      const line = await onDone(payout.id)
        .then((result) => ({ kind: "row" as const, row, code: "", message: "", ...result }))
        .catch((error: unknown) => {
          if (!(error instanceof Refusal)) throw error;
          const [{ code, message }] = error.problems;
          const said = { outcome: "refused" as const, id: payout.id, code, message };
          return { kind: "row" as const, row, ...said };
        });
      await onRow?.(line.outcome);
      done += 1;
      yield line;
    }
  } catch (error) {
    log.warn({ err: error, batch_id: id }, "act on a batch stopped");
  } finally {
    await onEnd?.();
  }
  if (done === payouts.length) yield { kind: "end" };
  else yield { kind: "stopped", message: "It stopped before the end. The others are unchanged." };
}
