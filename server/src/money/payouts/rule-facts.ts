// The facts that rules look at. Totals are read once for all payouts that are decided on together, where a rule in force
// needs them, and kept up to date as these are accepted one after the other.

import { idTimeMs, type Mode } from "../../platform/base/index.ts";
import type { Runner } from "../../platform/db/index.ts";
import type {
  CompiledRuleSet,
  CountEpochs,
  Rule,
  RuleFacts,
  RuleSubject,
  ScopedRules,
} from "../rules/index.ts";
import { knownBalances, totalsByServer } from "./known-totals.ts";
import type { BalanceState, LastPayout, PayoutContext, PayoutRequest } from "./payout.ts";
import {
  type CountedSubject,
  type CountsAfter,
  type CountsToInsert,
  forgetEvery,
  type RunningTotal,
  readTotals,
  type SubjectTotals,
} from "./total-queries.ts";

/** A payout that rules decide on. */
export type RuledPayout = {
  id: string;
  caller: { mode: Mode; subaccountId: string };
  request: PayoutRequest;
  context: PayoutContext;
};

export type RuleBook = {
  rulesOf(payout: RuledPayout): readonly Rule[];
  factsOf(payout: RuledPayout): RuleFacts;
  /** Counts an accepted payout. One that is let through is an earlier payout for those after it. */
  accept(payout: RuledPayout, isLetThrough: boolean): void;
  readonly counts: CountsToInsert;
  /** Keeps the totals for the payouts after these, if they are committed. */
  rememberAfterCommit(): void;
};

export type RuleBookOptions = {
  nowMs: number;
  /** Nothing is locked, so nothing is written or kept. */
  isPreview: boolean;
  /** By `subaccountId currency`. Each accepted payout changes its balance. */
  balances: ReadonlyMap<string, BalanceState>;
};

/** A subject of payouts that are decided on together. */
type Counting = {
  name: string;
  balance: string;
  subject: CountedSubject;
  /** What all of these payouts would add. */
  asked: RunningTotal;
  /** Each accepted payout changes them. */
  totals: SubjectTotals;
  /** The counts of the last accepted payout. */
  newest?: CountsAfter;
};

/** What is counted and looked at for one payout. */
type Entry = {
  atMs: number;
  scope: ScopedRules;
  subjects: Partial<Record<RuleSubject, Counting>>;
};

/**
 * The starts of the windows may be old. They only move forward, so a total from an old start is too high, never too low: it
 * proves that a limit is not reached, and otherwise the start is read again.
 */
const knownTotals = totalsByServer<SubjectTotals>();

const lastMax = 10;
const noStart = { number: 0, total: 0n };
const noTotals: SubjectTotals = {
  ...noStart,
  newestMs: undefined,
  before: { hour: noStart, day: noStart, month: noStart },
};

export async function readRuleBook(
  db: Runner,
  set: CompiledRuleSet,
  payouts: readonly RuledPayout[],
  { nowMs, isPreview, balances }: RuleBookOptions,
): Promise<RuleBook> {
  const { entries, subjects } = entriesOf(set, payouts);
  const names = subjects.map(({ balance }) => balance);
  const known = isPreview ? undefined : knownBalances(knownTotals(db), names, balances);
  const unknown = subjects.filter((one) => {
    const totals = known?.find(one.balance, one.name);
    if (!totals || !isBelowLimits(totals, one)) return true;
    one.totals = { ...totals };
    return false;
  });
  if (unknown.length > 0) {
    const keys = unknown.map(({ subject }) => subject);
    const read = await readTotals(db, keys, { nowMs, isPreview });
    for (const [index, one] of unknown.entries()) one.totals = read[index] as SubjectTotals;
  }
  return {
    ...ruleBook(entries, set.epochs),
    rememberAfterCommit() {
      if (known) db.afterCommit(known.keeper(subjects));
    },
  };
}

function entriesOf(
  set: CompiledRuleSet,
  payouts: readonly RuledPayout[],
): { entries: Map<string, Entry>; subjects: Counting[] } {
  const entries = new Map<string, Entry>();
  const byName = new Map<string, Counting>();
  for (const { id, caller, request } of payouts) {
    const { subaccountId } = caller;
    const { currency, amount, receiverId, accountId } = request;
    const scope = set.scopeOf({ ...caller, currency });
    const balance = `${subaccountId} ${currency}`;
    const entry: Entry = { atMs: idTimeMs(id), scope, subjects: {} };
    const ids = { receiver: receiverId, account: accountId, subaccount: subaccountId };
    for (const kind of scope.subjects) {
      const { [kind]: subjectId } = ids;
      const epoch = set.epochs[kind] as number;
      const name = `${kind} ${epoch} ${balance} ${subjectId}`;
      let counting = byName.get(name);
      if (!counting) {
        const [{ atMs }, conditions] = [entry, scope.counted[kind]];
        const subject = { subaccountId, currency, subjectId, kind, epoch, atMs, conditions };
        const asked = { number: 0, total: 0n };
        counting = { name, balance, subject, asked, totals: noTotals };
        byName.set(name, counting);
      }
      counting.asked.number += 1;
      counting.asked.total += amount;
      entry.subjects[kind] = counting;
    }
    entries.set(id, entry);
  }
  return { entries, subjects: [...byName.values()] };
}

/** Whether no rule would apply to the subject even if all of these payouts are accepted. */
function isBelowLimits({ number, total, before }: SubjectTotals, { asked, subject }: Counting) {
  return subject.conditions.every(({ fact, window, above }) =>
    fact === "sum"
      ? total + asked.total - before[window].total <= BigInt(above)
      : number + asked.number - before[window].number <= above,
  );
}

function ruleBook(
  entries: ReadonlyMap<string, Entry>,
  epochs: CountEpochs,
): Omit<RuleBook, "rememberAfterCommit"> {
  const counts: CountsToInsert = { byPayout: new Map(), epochs, full: [] };
  /** Of payouts that were accepted here: their accounts, and those of each receiver. */
  const paidAccounts = new Set<string>();
  const paid = new Map<string, LastPayout[]>();
  const receiverOf = ({ caller: { subaccountId }, request }: RuledPayout) =>
    `${subaccountId} ${request.currency} ${request.receiverId}`;

  function count({ atMs, scope, subjects }: Entry, amount: bigint): CountsAfter {
    const mine: CountsAfter = {};
    for (const kind of scope.subjects) {
      const counting = subjects[kind] as Counting;
      const { totals, newest, subject } = counting;
      // The time never falls within a subject, also where the clocks of two processes differ.
      const latestMs = Math.max(atMs, totals.newestMs ?? 0);
      totals.newestMs = latestMs;
      totals.number += 1;
      totals.total += amount;
      // Of payouts at the same time, only the total after the last one is ever looked for.
      if (newest?.[kind]?.atMs === latestMs) delete newest[kind];
      mine[kind] = { atMs: latestMs, number: totals.number, total: totals.total };
      counting.newest = mine;
      if (totals.number % forgetEvery === 0) counts.full.push({ ...subject, atMs: latestMs });
    }
    return mine;
  }

  return {
    counts,
    rulesOf: ({ id }) => entries.get(id)?.scope.rules ?? [],
    factsOf(payout) {
      const { caller, request, context } = payout;
      const { receiver, account, payee } = context;
      const { atMs, subjects } = entries.get(payout.id) as Entry;
      const paidHere = paid.size > 0 ? paid.get(receiverOf(payout)) : undefined;
      return {
        mode: caller.mode,
        subaccountId: caller.subaccountId,
        currency: request.currency,
        amount: request.amount,
        atMs,
        totalsOf(of, window) {
          const counting = subjects[of];
          if (!counting) return undefined;
          const { number, total, before } = counting.totals;
          return {
            count: number + 1 - before[window].number,
            sum: total + request.amount - before[window].total,
          };
        },
        isFirstPayout: payee?.isFirstPayout === true && !paidAccounts.has(request.accountId),
        detailsChangedAtMs: account?.detailsChangedAtMs,
        otherReceivers: payee?.otherReceivers,
        lastAmounts: amountsOfLast(paidHere, payee?.last ?? []),
        countries: [account?.country ?? "", receiver?.country ?? ""],
        hasScreeningReview: receiver?.hasScreeningReview,
        hasIdentityReview: receiver?.hasIdentityReview,
        payeeName: payee?.payeeName,
      };
    },
    accept(payout, isLetThrough) {
      const { id, request } = payout;
      counts.byPayout.set(id, count(entries.get(id) as Entry, request.amount));
      if (!isLetThrough || !payout.context.payee) return;
      paidAccounts.add(request.accountId);
      const name = receiverOf(payout);
      paid.set(name, [{ id, amount: request.amount }, ...(paid.get(name) ?? [])]);
    },
  };
}

/** The last ten by their ids, which is the order of lists. `last` is in that order. */
function amountsOfLast(
  here: readonly LastPayout[] | undefined,
  last: readonly LastPayout[],
): bigint[] {
  const newest = here
    ? [...here, ...last].sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, lastMax)
    : last;
  return newest.map(({ amount }) => amount);
}
