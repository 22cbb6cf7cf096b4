// Creates payouts. Calls that arrive together are decided in their order, under one lock of each balance, and share
// one commit. A refused payout changes nothing for the others.

import { type Caller, newId, whoOf } from "../../platform/base/index.ts";
import { type Batching, batch, spanOf } from "../../platform/batching/index.ts";
import type { Db, Tx } from "../../platform/db/index.ts";
import {
  onceInBatch,
  type RequestConflict,
  respondOnce,
  type StoredResponse,
} from "../../platform/idempotency/index.ts";
import { formatTraceparent } from "../../platform/tracing/index.ts";
import { setTracesOfEvents } from "../../webhooks/events/index.ts";
import type { RailDirectory } from "../rails/index.ts";
import { type Decisions, decide, lockBook, type RefusedCreation } from "./decide.ts";
import { insertDecided } from "./insert-decided.ts";
import type { PayoutRequest } from "./payout.ts";
import type { PayoutCreation } from "./payout-row.ts";
import { toPayoutRefusal } from "./problems.ts";
import { createdPayoutAnswer } from "./schema.ts";

/** Resolves once the payout, its hold and its event are committed. */
export type CreatePayout = ((caller: Caller, request: PayoutRequest) => Promise<StoredResponse>) & {
  /** While a payout batch of this subaccount holds its balance, its single payouts share no transaction with others. */
  keepApart(subaccountId: string): () => void;
};

export type PayoutParts = {
  db: Db;
  rails: RailDirectory;
  batching?: Batching | undefined;
  /** Called after a commit that made a payout due. */
  onDue?: (() => void) | undefined;
};

type Call = { caller: Caller; request: PayoutRequest };

export type PayoutOutcome = RequestConflict | RefusedCreation;

export function payoutCreator({ db, rails, batching, onDue }: PayoutParts): CreatePayout {
  const observe = db.listeners.metrics?.batchSize("payouts-create");
  // Ids are made in the transaction, since they carry the time: a call may have waited for its turn or for a lock.
  const createAll = (calls: Call[]) =>
    db.shared.transaction((tx) =>
      createPayoutsIn(
        tx,
        rails,
        calls.map(({ caller, request }) => toPayoutCreation(caller, request)),
      ),
    );
  const subaccountOf = ({ caller }: Call) => caller.subaccountId;
  const span = spanOf<PayoutOutcome>(db, "payouts-create");
  const create = batch(createAll, batching, { observe, subaccountOf, span });
  const createOne = async (caller: Caller, request: PayoutRequest) => {
    const response = await respondOnce(async () => {
      const outcome = await create({ caller, request }, caller.trace);
      if (isRefused(outcome)) throw toPayoutRefusal(outcome);
      return outcome;
    });
    onDue?.();
    return response;
  };
  return Object.assign(createOne, { keepApart: create.keepApart });
}

type CreationOptions = {
  batchId?: string | undefined;
  batchTotal?: bigint | undefined;
  who?: string;
};

export function toPayoutCreation(
  caller: Caller,
  request: PayoutRequest,
  { batchId, batchTotal, who = whoOf(caller) }: CreationOptions = {},
): PayoutCreation {
  const id = newId();
  return { caller, request, id, batchId, batchTotal, answer: createdPayoutAnswer(id), who };
}

type Parts = Pick<PayoutParts, "db" | "rails">;

/** One outcome for each, in their order, in one transaction. */
export function createPayouts(
  { db, rails }: Parts,
  creations: readonly PayoutCreation[],
): Promise<PayoutOutcome[]> {
  return db.transaction((tx) => createPayoutsIn(tx, rails, creations));
}

/** In a transaction of the caller: keys and nonces first, then the locks of the balances, then the decisions. */
export function createPayoutsIn(
  tx: Tx,
  rails: RailDirectory,
  creations: readonly PayoutCreation[],
): Promise<PayoutOutcome[]> {
  return onceInBatch(tx, creations, (admitted) => decideAll(tx, rails, admitted));
}

/** Created by this call, and not by an earlier one under the same key. */
export function isCreated(outcome: PayoutOutcome): boolean {
  return typeof outcome === "object" && "replayed" in outcome && !outcome.replayed;
}

export function isRefused(outcome: PayoutOutcome): outcome is RefusedCreation {
  return typeof outcome === "object" && "refused" in outcome;
}

/** The event of a payout names it by its order key. */
function toEventTrace({ caller, id: orderKey }: PayoutCreation) {
  const { subaccountId, trace } = caller;
  return trace ? [{ subaccountId, orderKey, traceparent: formatTraceparent(trace) }] : [];
}

async function decideAll(
  tx: Tx,
  rails: RailDirectory,
  creations: readonly PayoutCreation[],
): Promise<Decisions["outcomes"]> {
  const book = await lockBook(tx, creations);
  const decisions = await decide(tx, rails, book, creations);
  await insertDecided(tx, decisions);
  if (tx.listeners.tracer) await setTracesOfEvents(tx, creations.flatMap(toEventTrace));
  return decisions.outcomes;
}
