// Decides on payouts in their order, under the lock of their balances: refused, or accepted into a first stage.

import { rulesFor } from "../../people/account-rules/index.ts";
import type { Caller } from "../../platform/base/index.ts";
import type { Runner, Tx } from "../../platform/db/index.ts";
import type { StoredResponse } from "../../platform/idempotency/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { BalanceKey, LowBalance } from "../ledger/index.ts";
import { type Charge, chargeFor, type RailDirectory } from "../rails/index.ts";
import { type CompiledRuleSet, knownRules, latestRules, loadRules } from "../rules/index.ts";
import type { ReasonsById } from "./approval-reason-queries.ts";
import { findPayoutContexts } from "./context-queries.ts";
import type { DayTotalToWrite } from "./day-total-queries.ts";
import { type PayoutOfDay, readDayBook } from "./day-totals.ts";
import type { NewHold } from "./hold-queries.ts";
import type { HoldReason } from "./hold-reason.ts";
import {
  approvalReasons,
  type BalanceState,
  countsDays,
  type DecisionFacts,
  dayOf,
  laterDay,
  noBalance,
  type OpenRoute,
  type PayoutContext,
  type PayoutRefusal,
  type PayoutRequest,
  type PayoutRoute,
  refusalOf,
  spentOnDay,
  thresholdsOf,
} from "./payout.ts";
import { type PayoutCreation, toPayoutRow } from "./payout-row.ts";
import type { RefusedOutcome } from "./problems.ts";
import { lockBalances, type PayoutToInsert } from "./queries.ts";
import type { PayoutMatch } from "./rule-match-queries.ts";
import { startRuling } from "./ruling.ts";
import { scheduledPayoutAnswer } from "./schema.ts";
import type { Stage } from "./states.ts";
import type { CountsToInsert } from "./total-queries.ts";

/** With the facts, by which all other reasons can be found. */
export type RefusedCreation = RefusedOutcome & { facts: DecisionFacts };

/** The locked balances, and the payouts accepted under the lock by their duplicate key. Each decision changes both. */
type Book = {
  balances: Map<string, BalanceState>;
  duplicates: Map<string, string>;
  /** Nothing is locked, so nothing may be written. */
  isPreview?: boolean;
};

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

export type Decisions = {
  outcomes: (StoredResponse | RefusedCreation)[];
  toInsert: PayoutToInsert[];
  approvals: ReasonsById;
  holds: NewHold[];
  matches: PayoutMatch[];
  /** The payouts that took a balance below its level. */
  lows: LowBalance[];
  /** Absent: no rule is about these payouts. */
  counts: CountsToInsert | undefined;
  /** The totals of the day that thresholds look at, after the accepted payouts. */
  dayTotals: DayTotalToWrite[];
  day: string;
};

/** Decides on each, in their order. Writes nothing but the first counts of a subject. */
export async function decide(
  db: Runner,
  rails: RailDirectory,
  { balances, duplicates, isPreview = false }: Book,
  creations: readonly PayoutCreation[],
): Promise<Decisions> {
  const keys = creations.map(({ caller, request }) => ({
    subaccountId: caller.subaccountId,
    mode: caller.mode,
    ...request,
  }));
  const nowMs = Date.now();
  const { contexts, rules } = await findContextsAndRules(db, keys, nowMs);
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
  const toCount = payoutsToCount(creations, contexts, balances);
  const days = await readDayBook(db, [...toCount.values()], { balances, day, isPreview });
  const ruling =
    rules && (await startRuling(db, rules, creations, contexts, { nowMs, isPreview, balances }));
  const toInsert: PayoutToInsert[] = [];
  const approvals: Decisions["approvals"] = new Map();
  const holds: NewHold[] = [];
  const matches: PayoutMatch[] = [];
  const lows: LowBalance[] = [];

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
    const refuse = (refused: PayoutRefusal): RefusedCreation => ({
      refused,
      duplicateOfId: context.duplicateOfId,
      currency: request.currency,
      country: context.account?.country,
      facts,
    });
    const refused = refusalOf(facts);
    if (refused) return refuse(refused);
    const ruled = ruling?.rule({ id, caller, request, context });
    facts.isRefusedByRule = ruled?.isRefused === true;
    if (facts.isRefusedByRule) return refuse("refused-by-rule");
    const chosen = route as OpenRoute;
    const spent = spentToday(state, request.amount, chosen.charge, day);
    balances.set(name, spent);
    duplicates.set(duplicateKey, id);
    const thresholds = thresholdsOf(state, caller.mode, request.currency);
    const counted = toCount.get(id);
    const reasons = approvalReasons(request, thresholds, {
      batchTotal: creation.batchTotal,
      dayTotals: counted && days.count(counted, request.amount),
      account: context.account,
    });
    if (reasons.length > 0) approvals.set(id, reasons);
    const holdReasons: HoldReason[] = [
      // Always in force, with or without rules.
      ...(context.receiver?.hasScreeningReview ? [{ kind: "screening" as const }] : []),
      ...(ruled?.holds ?? []),
    ];
    if (holdReasons.length > 0)
      holds.push({ subaccountId: caller.subaccountId, id, reasons: holdReasons });
    if (ruled) matches.push(...ruled.matches);
    const needsApproval = reasons.length > 0 || ruled?.needsApproval === true;
    const waiting = needsApproval ? "awaiting_approval" : "queued";
    const stage: Stage = holdReasons.length > 0 ? "on_hold" : waiting;
    ruled?.accept(stage === "queued");
    const row = toPayoutRow(creation, context, chosen, stage);
    toInsert.push(row);
    if (isBelow(spent) && !isBelow(state)) lows.push(toLow(row, spent));
    const body =
      request.sendOn === "" ? creation.answer : scheduledPayoutAnswer(id, row.process_date);
    return { body, replayed: false };
  });
  ruling?.rememberAfterCommit();
  days.rememberAfterCommit();
  const written = { counts: ruling?.counts, dayTotals: days.totalsToWrite() };
  return { outcomes, toInsert, approvals, holds, matches, lows, ...written, day };
}

function isBelow({ available, level }: BalanceState): boolean {
  return level !== undefined && available < level;
}

function toLow(row: PayoutToInsert, { available, level = 0n }: BalanceState): LowBalance {
  const { subaccount_id: subaccountId, currency, transfer_id: transferId } = row;
  return { subaccountId, currency, transferId, available, level, atMs: row.created_at_ms };
}

/**
 * The facts about payees are read with the contexts, as the rules need them that were in force last. If other rules are in
 * force now, the contexts are read again.
 */
async function findContextsAndRules(
  db: Runner,
  keys: Parameters<typeof findPayoutContexts>[1],
  nowMs: number,
): Promise<{ contexts: PayoutContext[]; rules: CompiledRuleSet | undefined }> {
  for (let assumed = latestRules(); ; ) {
    const sinceMs = nowMs - limits.duplicateWindowMs;
    const needed = assumed?.payeeFacts;
    const { contexts, rulesHash } = await findPayoutContexts(db, keys, sinceMs, needed);
    if (rulesHash === undefined) return { contexts, rules: undefined };
    const rules = knownRules(rulesHash) ?? (await loadRules(db));
    if (!rules?.payeeFacts || rules === assumed) return { contexts, rules };
    assumed = rules;
  }
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

/** The payouts that count towards totals of the day, by their ids: only where a threshold needs them. */
function payoutsToCount(
  creations: readonly PayoutCreation[],
  contexts: readonly PayoutContext[],
  balances: ReadonlyMap<string, BalanceState>,
): Map<string, PayoutOfDay> {
  const counted = new Map<string, PayoutOfDay>();
  for (const [index, { id, caller, request }] of creations.entries()) {
    const { subaccountId, mode } = caller;
    const { currency, receiverId, accountId } = request;
    const state = balances.get(`${subaccountId} ${currency}`) ?? noBalance;
    const destination = contexts[index]?.account?.destination;
    if (destination === undefined || !countsDays(thresholdsOf(state, mode, currency))) continue;
    counted.set(id, { subaccountId, currency, receiverId, accountId, destination });
  }
  return counted;
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
    // A fee is a transfer of its own.
    transfers: state.transfers + (fee > 0n ? 2 : 1),
  };
}
