// Creates payouts. Calls that arrive together are decided in their order, under one lock of each balance, and share
// one commit. A refused payout changes nothing for the others.

import { rulesFor } from "../accounts/banks/countries.ts";
import { type Caller, whoOf } from "../caller.ts";
import { type Batching, batch } from "../db/batch.ts";
import type { Db, Runner, Tx } from "../db/connect.ts";
import { payoutCreated } from "../events/outbox.ts";
import {
  onceInBatch,
  type RequestConflict,
  respondOnce,
  type StoredResponse,
} from "../idempotency/once.ts";
import { idTimeMs, newId } from "../ids.ts";
import type { BalanceKey } from "../ledger/queries.ts";
import { limits } from "../limits.ts";
import type { RailDirectory } from "../rails/directory.ts";
import { type Charge, chargeFor } from "../rails/fee.ts";
import { insertApprovalReasons, type ReasonsById } from "./approval-reason-queries.ts";
import { findPayoutContexts } from "./context-queries.ts";
import {
  approvalReasons,
  type BalanceState,
  type DecisionFacts,
  dayOf,
  laterDay,
  noBalance,
  type OpenRoute,
  type PayoutContext,
  type PayoutRequest,
  type PayoutRoute,
  refusalOf,
  spentOnDay,
  thresholdsOf,
} from "./payout.ts";
import { type RefusedOutcome, toPayoutRefusal } from "./problems.ts";
import { insertPayouts, lockBalances, type PayoutToInsert } from "./queries.ts";
import { createdPayoutAnswer, scheduledPayoutAnswer } from "./schema.ts";
import type { Stage } from "./states.ts";
import {
  type ReceiverBalanceKey,
  receiverBalanceName,
  sumReceiversToday,
} from "./threshold-queries.ts";

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

/** With the facts, by which all other reasons can be found. */
type RefusedCreation = RefusedOutcome & { facts: DecisionFacts };
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
  const create = batch(createAll, batching, { observe, subaccountOf });
  const createOne = async (caller: Caller, request: PayoutRequest) => {
    const response = await respondOnce(async () => {
      const outcome = await create({ caller, request });
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

async function decideAll(
  tx: Tx,
  rails: RailDirectory,
  creations: readonly PayoutCreation[],
): Promise<Decisions["outcomes"]> {
  const book = await lockBook(tx, creations);
  const { outcomes, toInsert, approvals, day } = await decide(tx, rails, book, creations);
  if (toInsert.length > 0) await insertPayouts(tx, toInsert, day);
  await insertApprovalReasons(tx, toInsert, approvals);
  return outcomes;
}

/** The locked balances, and the payouts accepted under the lock by their duplicate key. Each decision changes both. */
type Book = { balances: Map<string, BalanceState>; duplicates: Map<string, string> };

export async function lockBook(
  tx: Tx,
  creations: readonly Pick<PayoutCreation, "caller" | "request">[],
): Promise<Book> {
  const keys = new Map<string, BalanceKey>();
  for (const { caller, request } of creations) {
    const key: BalanceKey = { subaccountId: caller.subaccountId, currency: request.currency };
    keys.set(`${key.subaccountId} ${key.currency}`, key);
  }
  return { balances: await lockBalances(tx, [...keys.values()]), duplicates: new Map() };
}

type Decisions = {
  outcomes: (StoredResponse | RefusedCreation)[];
  toInsert: PayoutToInsert[];
  approvals: ReasonsById;
  day: string;
};

/** Decides on each, in their order. Writes nothing. */
export async function decide(
  db: Runner,
  rails: RailDirectory,
  { balances, duplicates }: Book,
  creations: readonly PayoutCreation[],
): Promise<Decisions> {
  const keys = creations.map(({ caller, request }) => ({
    subaccountId: caller.subaccountId,
    ...request,
  }));
  const nowMs = Date.now();
  const contexts = await findPayoutContexts(db, keys, nowMs - limits.duplicateWindowMs);
  const day = dayOf(nowMs);
  const isWithoutRail = ({ caller, request }: PayoutCreation, index: number) => {
    const country = contexts[index]?.account?.country;
    // The sandbox takes every test payout. A new test connection is used when the connections are loaded next.
    if (caller.mode === "test" || country === undefined) return false;
    const { mode, subaccountId } = caller;
    return !rails.railFor({ mode, subaccountId, currency: request.currency, country });
  };
  // So that a bank connection is used from the moment it is saved.
  if (creations.some(isWithoutRail)) await rails.reload(db);
  const receivers = await sumReceiversToday(db, receiversToSum(creations, balances), nowMs);
  const toInsert: PayoutToInsert[] = [];
  const approvals: Decisions["approvals"] = new Map();

  const outcomes = creations.map((creation, index): Decisions["outcomes"][number] => {
    const { caller, request, id } = creation;
    const key: BalanceKey = { subaccountId: caller.subaccountId, currency: request.currency };
    const name = `${key.subaccountId} ${key.currency}`;
    const state = balances.get(name) ?? noBalance;
    // The payout that it duplicates may be in this very batch.
    const found = contexts[index] as PayoutContext;
    const duplicateKey = JSON.stringify([
      name,
      request.accountId,
      String(request.amount),
      request.reference,
    ]);
    const context = {
      ...found,
      duplicateOfId: found.duplicateOfId ?? duplicates.get(duplicateKey),
    };
    const route = routeOf(rails, caller, request, context);
    const facts: DecisionFacts = { request, context, balance: state, route, day, nowMs };
    const refused = refusalOf(facts);
    if (refused)
      return {
        refused,
        duplicateOfId: context.duplicateOfId,
        currency: request.currency,
        country: context.account?.country,
        facts,
      };
    const chosen = route as OpenRoute;
    balances.set(name, spentToday(state, request.amount, chosen.charge, day));
    duplicates.set(duplicateKey, id);
    const thresholds = thresholdsOf(state, caller.mode, request.currency);
    const receiver = receiverBalanceName({ ...key, receiverId: request.receiverId });
    const receiverDayTotal = (receivers.get(receiver) ?? 0n) + request.amount;
    receivers.set(receiver, receiverDayTotal);
    const isUnpaidChange = caller.mode === "live" && context.account?.isUnpaidChange === true;
    const around = { batchTotal: creation.batchTotal, receiverDayTotal, isUnpaidChange };
    const reasons = approvalReasons(request, thresholds, around);
    if (reasons.length > 0) approvals.set(id, reasons);
    const stage = reasons.length > 0 ? "awaiting_approval" : "queued";
    const row = toRow(creation, context, chosen, stage);
    toInsert.push(row);
    const body =
      request.sendOn === "" ? creation.answer : scheduledPayoutAnswer(id, row.process_date);
    return { body, replayed: false };
  });
  return { outcomes, toInsert, approvals, day };
}

/** Live subaccounts have no rail until a bank is connected. Undefined where the account is unknown. */
export function routeOf(
  rails: RailDirectory,
  { mode, subaccountId }: Pick<Caller, "mode" | "subaccountId">,
  { currency, amount }: PayoutRequest,
  { account }: Pick<PayoutContext, "account">,
): PayoutRoute | undefined {
  if (!account) return undefined;
  const { country } = account;
  const rail = rails.railFor({ mode, subaccountId, currency, country });
  if (!rail) return { refused: "no-bank" };
  const charge = chargeFor(rail.fee, amount);
  const { sentAmount } = charge;
  const accountCurrency = rulesFor(country).currency;
  const rejected = rail.rejectReason({ country, currency, accountCurrency, amount: sentAmount });
  const refused = rejected ?? (sentAmount > 0n ? undefined : "not-above-fee");
  return { refused, rail, charge };
}

/** The receivers whose payouts of today are summed: only where a threshold needs the sum. */
function receiversToSum(
  creations: readonly PayoutCreation[],
  balances: ReadonlyMap<string, BalanceState>,
): ReceiverBalanceKey[] {
  return creations.flatMap(
    ({ caller: { subaccountId, mode }, request: { currency, receiverId } }) => {
      const state = balances.get(`${subaccountId} ${currency}`) ?? noBalance;
      const { receiverDayApprovalAbove } = thresholdsOf(state, mode, currency);
      return receiverDayApprovalAbove === undefined ? [] : [{ subaccountId, currency, receiverId }];
    },
  );
}

/** The balance after a payout. Limits count the amount, with or without its fee. */
export function spentToday(
  state: BalanceState,
  amount: bigint,
  { fee, sentAmount }: Charge,
  day: string,
): BalanceState {
  const available = state.available - fee - sentAmount;
  return {
    ...state,
    available,
    day: laterDay(state, day),
    dayTotal: spentOnDay(state, day) + amount,
  };
}

function toRow(
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
