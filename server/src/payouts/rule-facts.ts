// The facts that rules look at. They are read once for all payouts that are decided on together, where a rule in force
// needs them, and kept up to date as these are accepted one after the other.

import type { Mode } from "../caller.ts";
import type { Runner } from "../db/connect.ts";
import { idTimeMs } from "../ids.ts";
import type { RuleFacts } from "../rules/evaluate.ts";
import type { RuleSubject } from "../rules/rule.ts";
import type { CompiledRuleSet, ScopedRules } from "../rules/rule-set.ts";
import type { PayoutContext, PayoutRequest } from "./payout.ts";
import {
  type CountedSubject,
  type CountToInsert,
  type FactsKey,
  type LastPayout,
  type PayeeFacts,
  readRuleFacts,
  type SubjectTotals,
} from "./rule-facts-queries.ts";

/** A payout that rules decide on. */
export type RuledPayout = {
  id: string;
  caller: { mode: Mode; subaccountId: string };
  request: PayoutRequest;
  context: PayoutContext;
};

export type RuleBook = {
  factsOf(payout: RuledPayout): RuleFacts;
  /** Counts an accepted payout. One that is let through is an earlier payout for those after it. */
  accept(payout: RuledPayout, isLetThrough: boolean): void;
  /** The running totals of the accepted payouts. */
  readonly counts: readonly CountToInsert[];
};

type Counted = CountedSubject & SubjectTotals;

const subjectName = (
  { caller: { subaccountId }, request: { currency } }: RuledPayout,
  kind: RuleSubject,
  subjectId: string,
) => `${kind} ${subaccountId} ${currency} ${subjectId}`;

function subjectIdOf({ caller, request }: RuledPayout, kind: RuleSubject): string {
  if (kind === "receiver") return request.receiverId;
  return kind === "account" ? request.accountId : caller.subaccountId;
}

const lastMax = 10;
const factsOfPayees = ["first_payout", "shared_account", "above_median", "payee_name"] as const;

export async function readRuleBook(
  db: Runner,
  set: CompiledRuleSet,
  payouts: readonly RuledPayout[],
  { nowMs, isPreview }: { nowMs: number; isPreview: boolean },
): Promise<RuleBook> {
  const scoped = payouts.map((payout) => ({ payout, scope: scopeOf(set, payout) }));
  const subjects = subjectsOf(set, scoped);
  const asking = scoped.filter(({ scope: { needs } }) => factsOfPayees.some((f) => needs.has(f)));
  const wants = (fact: (typeof factsOfPayees)[number]) =>
    asking.some(({ scope }) => scope.needs.has(fact));
  const isAsked = subjects.size > 0 || asking.length > 0;
  const read = isAsked
    ? await readRuleFacts(
        db,
        {
          subjects: [...subjects.values()],
          windows: [...new Set(scoped.flatMap(({ scope }) => scope.windows))],
          payees: asking.map(({ payout }) => keyOf(payout)),
          wants: {
            first: wants("first_payout"),
            shared: wants("shared_account"),
            median: wants("above_median"),
            payeeName: wants("payee_name"),
          },
          nowMs,
        },
        { isPreview },
      )
    : { totals: [], payees: [] };
  const totals = new Map<string, Counted>();
  for (const [index, [name, subject]] of [...subjects].entries()) {
    totals.set(name, { ...subject, ...(read.totals[index] as SubjectTotals) });
  }
  const payees = new Map<string, PayeeFacts>();
  for (const [index, { payout }] of asking.entries()) {
    payees.set(payout.id, read.payees[index] as PayeeFacts);
  }
  return ruleBook(set, totals, payees);
}

function scopeOf(set: CompiledRuleSet, { caller, request }: RuledPayout): ScopedRules {
  return set.scopeOf({ ...caller, currency: request.currency });
}

const keyOf = ({ caller, request }: RuledPayout): FactsKey => ({
  subaccountId: caller.subaccountId,
  receiverId: request.receiverId,
  accountId: request.accountId,
  currency: request.currency,
});

function subjectsOf(
  set: CompiledRuleSet,
  scoped: readonly { payout: RuledPayout; scope: ScopedRules }[],
): Map<string, CountedSubject> {
  const subjects = new Map<string, CountedSubject>();
  for (const { payout, scope } of scoped) {
    for (const kind of scope.subjects) {
      const subjectId = subjectIdOf(payout, kind);
      const name = subjectName(payout, kind, subjectId);
      if (subjects.has(name)) continue;
      subjects.set(name, {
        subaccountId: payout.caller.subaccountId,
        currency: payout.request.currency,
        subjectId,
        kind,
        epoch: set.epochs[kind] as number,
        atMs: idTimeMs(payout.id),
      });
    }
  }
  return subjects;
}

function ruleBook(
  set: CompiledRuleSet,
  totals: ReadonlyMap<string, Counted>,
  payees: ReadonlyMap<string, PayeeFacts>,
): RuleBook {
  const counts: CountToInsert[] = [];
  /** Of payouts that were accepted here: their accounts, and those of each receiver. */
  const paidAccounts = new Set<string>();
  const paid = new Map<string, LastPayout[]>();
  const receiverOf = (payout: RuledPayout) =>
    subjectName(payout, "receiver", payout.request.receiverId);
  const totalsOf = (payout: RuledPayout, kind: RuleSubject) =>
    totals.get(subjectName(payout, kind, subjectIdOf(payout, kind)));

  return {
    counts,
    factsOf(payout) {
      const { caller, request, context } = payout;
      const { receiver, account } = context;
      const payee = payees.get(payout.id);
      return {
        mode: caller.mode,
        subaccountId: caller.subaccountId,
        currency: request.currency,
        amount: request.amount,
        atMs: idTimeMs(payout.id),
        totalsOf(of, window) {
          const known = totalsOf(payout, of);
          if (!known) return undefined;
          const { number, total, before } = known;
          return {
            count: number + 1 - before[window].number,
            sum: total + request.amount - before[window].total,
          };
        },
        isFirstPayout: payee?.isFirstPayout === true && !paidAccounts.has(request.accountId),
        detailsChangedAtMs: account?.detailsChangedAtMs,
        otherReceivers: payee?.otherReceivers,
        lastAmounts: amountsOfLast([
          ...(paid.get(receiverOf(payout)) ?? []),
          ...(payee?.last ?? []),
        ]),
        countries: [account?.country ?? "", receiver?.country ?? ""],
        hasScreeningReview: receiver?.hasScreeningReview,
        hasIdentityReview: receiver?.hasIdentityReview,
        payeeName: payee?.payeeName,
      };
    },
    accept(payout, isLetThrough) {
      const { request } = payout;
      for (const kind of scopeOf(set, payout).subjects) {
        const known = totalsOf(payout, kind);
        if (!known) continue;
        // The time never falls within a subject, also where the clocks of two processes differ.
        known.newestMs = Math.max(idTimeMs(payout.id), known.newestMs ?? 0);
        known.number += 1;
        known.total += request.amount;
        const { subaccountId, currency, subjectId, epoch, number, total } = known;
        counts.push({
          ...{ subaccountId, currency, subjectId, epoch, number, total },
          atMs: known.newestMs,
        });
      }
      if (!isLetThrough) return;
      paidAccounts.add(request.accountId);
      const name = receiverOf(payout);
      paid.set(name, [{ id: payout.id, amount: request.amount }, ...(paid.get(name) ?? [])]);
    },
  };
}

/** The last ten by their ids, which is the order of lists. */
function amountsOfLast(payouts: readonly LastPayout[]): bigint[] {
  return payouts
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, lastMax)
    .map(({ amount }) => amount);
}
