// Decides or retries all payouts of a batch that the user was shown. Each payout is decided by itself, with the same
// checks and the same audit entry as alone: what the user may not decide is refused, and does not stop the others.

import { hash } from "node:crypto";
import Type, { type Static } from "typebox";
import { newId } from "../../platform/base/index.ts";
import { idField, input, required } from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type ActBy, type ActParts, call, callerOf } from "../../tenants/acts/index.ts";
import { audited } from "../../tenants/audit/index.ts";
import { requireOtherUser } from "../../tenants/four-eyes/index.ts";
import {
  approvePayoutAct,
  declinePayoutAct,
  type MakeParts,
  retryPayout,
} from "../payouts/index.ts";
import {
  findBatchMakers,
  listFailedOfBatch,
  listWaitingOfBatch,
  type PayoutOfBatch,
} from "./batch-queries.ts";
import { endFileImport, insertFileImport, updateImportCounts } from "./file-import-queries.ts";
import type { RunParts } from "./run-rows.ts";
import type { BatchActLine } from "./schema.ts";

export type PayoutBatchParts = ActParts & MakeParts & RunParts;

const totals = required(
  Type.Array(
    Type.Object(
      {
        currency: Type.String(),
        payouts: Type.Integer({ minimum: 1 }),
        amount: Type.Union([
          Type.Integer({ minimum: 1 }),
          Type.String({ pattern: "^[1-9][0-9]{0,30}$" }),
        ]),
      },
      { additionalProperties: false },
    ),
    {
      minItems: 1,
      maxItems: limits.approvalsAtOnceMax,
      description: "The payouts and sums that the user was shown",
    },
  ),
);

type ShownTotals = Static<typeof totals>;

const ofBatch = { object: "batch", doors: ["console"] } as const;
const ofMany = {
  stepUp: true,
  twoPeople: "Create a payout: alone, in a batch, from a file, as a retry",
  in: "open subaccount",
  input: input({ id: idField("CONS110"), totals }),
} as const;

export const approveBatchAct = call({
  ...ofBatch,
  ...ofMany,
  name: "batch.approve",
  tokens: "logins",
  summary: "approve all payouts of a batch that wait",
  may: "payouts.approve",
  async perform(parts: PayoutBatchParts, by, { id, totals }) {
    const { subaccountId } = callerOf(by);
    const waiting = await listWaitingOfBatch(parts.db, subaccountId, id);
    const maker = (await findBatchMakers(parts.db, subaccountId, [id])).get(id);
    await requireOtherUser(parts.db, maker === undefined ? [] : [maker], {
      who: by.actor.who,
      in: subaccountId,
    });
    await agree(parts, by, { action: "batch.approve", batchId: id, payouts: waiting, totals });
    const onDone = async (one: string) => {
      await approvePayoutAct.perform(parts, by, { id: one });
      return { outcome: "approved", id: one } as const;
    };
    return actOnEach(parts, by, { id, payouts: waiting, onDone });
  },
});

export const declineBatchAct = call({
  ...ofBatch,
  name: "batch.decline",
  summary: "decline all payouts of a batch that wait",
  may: "payouts.approve",
  in: "subaccount",
  input: input({
    ...ofMany.input.properties,
    reason: required(Type.String({ minLength: 1, maxLength: 200 })),
  }),
  async perform(parts: PayoutBatchParts, by, { id, totals, reason }) {
    const waiting = await listWaitingOfBatch(parts.db, callerOf(by).subaccountId, id);
    await agree(parts, by, { action: "batch.decline", batchId: id, payouts: waiting, totals });
    const onDone = async (one: string) => {
      await declinePayoutAct.perform(parts, by, { id: one, reason });
      return { outcome: "declined", id: one } as const;
    };
    return actOnEach(parts, by, { id, payouts: waiting, onDone });
  },
});

/** The new payouts are a batch of their own: the threshold of a batch holds for their sum. */
export const retryBatchAct = call({
  ...ofBatch,
  ...ofMany,
  name: "batch.retry",
  summary: "create the failed payouts of a batch again",
  may: "payouts.create",
  async perform(parts: PayoutBatchParts, by, { id: retryOf, totals }) {
    const { db, clock } = parts;
    const { actor } = by;
    const caller = callerOf(by);
    const { subaccountId } = caller;
    const failed = await listFailedOfBatch(db, subaccountId, retryOf);
    const id = newId();
    const more = { retried_as: id };
    const payouts = failed;
    await agree(parts, by, { action: "batch.retry", batchId: retryOf, payouts, totals, more });
    const key = { subaccountId, id };
    const { who } = actor;
    const rows = failed.length;
    const file = { kind: "retry", fileName: "", rows, who, retryOf, atMs: clock() } as const;
    await insertFileImport(db, key, file);
    const batchTotals = new Map(batchTotalsOf(failed).map((sum) => [sum.currency, sum.amount]));
    const batch = { batchId: id, batchTotals };
    const onDone = async (one: string) => {
      const again = { actor, caller: { ...caller, requestId: newId() } };
      return { outcome: "created", id: await retryPayout(parts, again, one, batch) } as const;
    };
    const counts = { created: 0, already_imported: 0, refused: 0 };
    const onRow = (outcome: string) => {
      counts[outcome === "created" ? "created" : "refused"] += 1;
      return updateImportCounts(db, key, counts, clock());
    };
    const onEnd = () => endFileImport(db, key, clock());
    return actOnEach(parts, by, { id, payouts, onDone, onRow, onEnd });
  },
});

type Agreeing = {
  action: string;
  batchId: string;
  payouts: readonly PayoutOfBatch[];
  totals: ShownTotals;
  more?: object;
};

/** The user decides what the page showed: if it has changed since, nothing is decided. */
async function agree(
  { db, seal }: ActParts,
  { actor }: ActBy,
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
  { stillMay }: ActBy,
  { id, payouts, onDone, onRow, onEnd }: Each,
): AsyncGenerator<BatchActLine> {
  yield { kind: "start", rows: payouts.length, id };
  let done = 0;
  try {
    for (const [index, payout] of payouts.entries()) {
      const isChecked = index % checkedEvery === 0;
      if (isDraining() || (isChecked && (await stillMay?.()) === false)) break;
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

type PayoutBatchTotal = { currency: string; payouts: number; amount: bigint };

/** By currency, in their order. */
export function batchTotalsOf(payouts: readonly PayoutOfBatch[]): PayoutBatchTotal[] {
  const totals = new Map<string, PayoutBatchTotal>();
  for (const { currency, amount } of payouts) {
    const total = totals.get(currency) ?? { currency, payouts: 0, amount: 0n };
    totals.set(currency, {
      currency,
      payouts: total.payouts + 1,
      amount: total.amount + BigInt(amount),
    });
  }
  return [...totals.values()].sort((one, other) => (one.currency < other.currency ? -1 : 1));
}
