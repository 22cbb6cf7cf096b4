// The running totals of the day that thresholds look at: to each receiver and to each destination account. They are read once
// for all payouts that are decided on together, and kept up to date as these are accepted one after the other.

import type { Runner } from "../../platform/db/index.ts";
import type { BalanceKey } from "../ledger/index.ts";
import {
  type DaySubject,
  type DayTotal,
  type DayTotalToWrite,
  readDayTotals,
  type StoredDayTotal,
  sumOfDay,
} from "./day-total-queries.ts";
import { knownBalances, totalsByServer } from "./known-totals.ts";
import { type BalanceState, laterDay, noBalance } from "./payout.ts";

/** A payout to be counted. */
export type PayoutOfDay = BalanceKey & {
  receiverId: string;
  accountId: string;
  /** What its account is known by, whichever receiver has it. */
  destination: string;
};

/** A subject of payouts that are decided on together. Each accepted payout changes its total. */
type Counting = DayTotal & {
  name: string;
  balance: string;
  subject: DaySubject;
  isChanged: boolean;
};

export type DayBook = {
  /** Counts an accepted payout. The totals include it. */
  count(payout: PayoutOfDay, amount: bigint): { receiverDay: bigint; accountDay: bigint };
  /** What is to be written with the accepted payouts, once all are decided on. */
  totalsToWrite(): DayTotalToWrite[];
  /** Keeps the totals for the payouts after these, if they are committed. */
  rememberAfterCommit(): void;
};

type DayBookOptions = {
  /** By `subaccountId currency`. Each accepted payout changes its balance. */
  balances: ReadonlyMap<string, BalanceState>;
  day: string;
  /** Nothing is locked, so nothing is kept. */
  isPreview: boolean;
};

const knownTotals = totalsByServer<DayTotal>();

export async function readDayBook(
  db: Runner,
  payouts: readonly PayoutOfDay[],
  { balances, day, isPreview }: DayBookOptions,
): Promise<DayBook> {
  const stateOf = (balance: string) => balances.get(balance) ?? noBalance;
  const byName = new Map<string, Counting>();
  const dayOf = (payout: BalanceKey) => laterDay(stateOf(balanceOf(payout)), day);
  for (const payout of payouts) addSubjects(byName, payout, dayOf(payout));
  const subjects = [...byName.values()];
  const known = isPreview
    ? undefined
    : knownBalances(knownTotals(db), payouts.map(balanceOf), balances);
  const unknown = subjects.filter((one) => {
    const totals = known?.find(one.balance, one.name);
    if (totals) Object.assign(one, totals);
    return !totals;
  });
  const uncounted: Counting[] = [];
  for (const [index, stored] of (await readDayTotals(db, unknown.map(subjectOf))).entries()) {
    const one = unknown[index] as Counting;
    one.generation = generationOf(stored, stateOf(one.balance), one.subject.day);
    if (stored.subject?.generation === one.generation) one.total = stored.subject.total;
    else if (one.generation > 0) uncounted.push(one);
  }
  for (const [index, sum] of (await sumOfDay(db, uncounted.map(subjectOf))).entries()) {
    (uncounted[index] as Counting).total = sum;
  }
  return {
    count(payout, amount) {
      const [receiverDay, accountDay] = namesOf(payout, dayOf(payout)).map((name) => {
        const one = byName.get(name) as Counting;
        one.total += amount;
        one.isChanged = true;
        return one.total;
      }) as [bigint, bigint];
      return { receiverDay, accountDay };
    },
    totalsToWrite() {
      const rows = new Map<string, DayTotalToWrite>();
      for (const { name, balance, subject, total, generation, isChanged } of subjects) {
        if (!isChanged) continue;
        const { subaccountId: subaccount_id, currency, day } = subject;
        const row = { subaccount_id, currency, day, generation };
        rows.set(name, { ...row, subject: subject.subject, total: total.toString() });
        rows.set(balance, { ...row, subject: "", total: stateOf(balance).dayTotal.toString() });
      }
      return [...rows.values()];
    },
    rememberAfterCommit() {
      const kept = subjects.map(({ name, balance, total, generation }) => {
        return { name, balance, totals: { total, generation } };
      });
      if (known) db.afterCommit(known.keeper(kept));
    },
  };
}

const balanceOf = ({ subaccountId, currency }: BalanceKey) => `${subaccountId} ${currency}`;
const subjectOf = ({ subject }: Counting) => subject;
const namesOf = (payout: PayoutOfDay, day: string) => [
  `${balanceOf(payout)} ${day} ${payout.receiverId}`,
  `${balanceOf(payout)} ${day} ${payout.destination}`,
];

function addSubjects(byName: Map<string, Counting>, payout: PayoutOfDay, day: string): void {
  const { subaccountId, currency, receiverId, accountId, destination } = payout;
  const key = { subaccountId, currency, day };
  const subjects: DaySubject[] = [
    { ...key, subject: receiverId, receiverId, accountId: undefined },
    { ...key, subject: destination, receiverId: undefined, accountId },
  ];
  for (const [index, name] of namesOf(payout, day).entries()) {
    if (byName.has(name)) continue;
    const subject = subjects[index] as DaySubject;
    const start = { total: 0n, generation: 0, isChanged: false };
    byName.set(name, { name, balance: balanceOf(payout), subject, ...start });
  }
}

/** Payouts that were accepted uncounted start another generation. Generation 0 has counted the whole day. */
function generationOf(
  { balance }: StoredDayTotal,
  { day: begun, dayTotal }: BalanceState,
  day: string,
): number {
  if (!balance) return begun < day ? 0 : 1;
  return balance.total === dayTotal ? balance.generation : balance.generation + 1;
}
