// What a proposed rule set would have done to payouts of the past, beside the active one: figures, days and a list. Pure.

import { toSum } from "../../platform/base/index.ts";
import type { RuleFigures } from "./evaluate.ts";
import { type RuleAct, ruleActs } from "./rule.ts";

/** A rule that applied to a payout, with the figures that it compared. */
export type BacktestMatch = { ruleId: string; act: RuleAct; figures: RuleFigures };

export type BacktestPayout = {
  id: string;
  subaccountId: string;
  receiverId: string;
  amount: bigint;
  currency: string;
  atMs: number;
};

type ReportedRule = { id: string; name: string; sentence: string; act: RuleAct };
type ReportedSet = readonly ReportedRule[];

type Sums = { currency: string; amount: number | string }[];

export type RuleEffect = {
  rule_id: string;
  name: string;
  sentence: string;
  act: RuleAct;
  /** Compared with the active set. */
  change: "new" | "changed" | "same" | "removed";
  /** The payouts to which it would have applied; of a removed rule, to which it would apply now. */
  count: number;
  /** Their part of all payouts, from 0 to 1. */
  share: number;
  sums: Sums;
  /** To these the rule of the active set with the same id would not have applied, and to those only that one. */
  also: number;
  no_longer: number;
  by_day: number[];
};

/** A payout counts for the strongest act of the rules that apply to it. */
export type ActEffect = {
  act: RuleAct;
  count: number;
  share: number;
  sums: Sums;
  active_count: number;
  also: number;
  no_longer: number;
  by_day: number[];
  active_by_day: number[];
};

export type BacktestedPayout = {
  payout_id: string;
  subaccount_id: string;
  receiver_id: string;
  at: number;
  amount: number | string;
  currency: string;
  /** What the strongest rule of each set does. Null: no rule applies. */
  active_act: RuleAct | null;
  act: RuleAct | null;
  rules: { rule_id: string; act: RuleAct; figures: RuleFigures }[];
};

export type BacktestFigures = {
  payouts: number;
  sums: Sums;
  /** UTC. */
  days: string[];
  payouts_by_day: number[];
  rules: RuleEffect[];
  acts: ActEffect[];
  /** Payouts for which the two sets differ. */
  changed: number;
  /** The newest first; those for which the sets differ come before the others. */
  list: BacktestedPayout[];
};

const dayMs = 86_400_000;

class Count {
  count = 0;
  also = 0;
  noLonger = 0;
  readonly byDay: number[];
  readonly #sums = new Map<string, bigint>();

  constructor(days: number) {
    this.byDay = Array.from({ length: days }, () => 0);
  }

  add({ amount, currency }: BacktestPayout, day: number): void {
    this.count += 1;
    this.byDay[day] = (this.byDay[day] ?? 0) + 1;
    this.#sums.set(currency, (this.#sums.get(currency) ?? 0n) + amount);
  }

  get sums(): Sums {
    const entries = [...this.#sums].sort(([one], [other]) => (one < other ? -1 : 1));
    return entries.map(([currency, amount]) => ({ currency, amount: toSum(amount) }));
  }
}

/** Collects payouts one by one. Its size depends on rules, days and the length of the list only. */
export class BacktestReport {
  readonly #active: ReportedSet;
  readonly #proposed: ReportedSet;
  readonly #fromMs: number;
  readonly #days: number;
  readonly #all: Count;
  readonly #rules = new Map<string, Count>();
  readonly #acts = new Map<RuleAct, { proposed: Count; active: Count }>();
  readonly #listMax: number;
  #changed = 0;
  #changedList: BacktestedPayout[] = [];
  #sameList: BacktestedPayout[] = [];

  constructor(
    { active, proposed }: { active: ReportedSet; proposed: ReportedSet },
    { fromMs, toMs, listMax }: { fromMs: number; toMs: number; listMax: number },
  ) {
    this.#active = active;
    this.#proposed = proposed;
    this.#fromMs = fromMs - (fromMs % dayMs);
    this.#days = Math.floor((toMs - this.#fromMs) / dayMs) + 1;
    this.#listMax = listMax;
    this.#all = this.#newCount();
    for (const { id } of [...proposed, ...active]) this.#rules.set(id, this.#newCount());
    for (const act of ruleActs)
      this.#acts.set(act, { proposed: this.#newCount(), active: this.#newCount() });
  }

  add(
    payout: BacktestPayout,
    active: readonly BacktestMatch[],
    proposed: readonly BacktestMatch[],
  ): void {
    const day = Math.floor((payout.atMs - this.#fromMs) / dayMs);
    this.#all.add(payout, day);
    if (active.length === 0 && proposed.length === 0) return;
    this.#addToRules(payout, day, active, proposed);
    const [before, after] = [strongest(active), strongest(proposed)];
    if (after) this.#acts.get(after)?.proposed.add(payout, day);
    if (before) this.#acts.get(before)?.active.add(payout, day);
    if (before !== after) {
      this.#changed += 1;
      if (after) (this.#acts.get(after) as { proposed: Count }).proposed.also += 1;
      if (before) (this.#acts.get(before) as { proposed: Count }).proposed.noLonger += 1;
    }
    this.#addToList(payout, before, after, proposed);
  }

  get figures(): BacktestFigures {
    const { count: payouts, sums, byDay } = this.#all;
    const share = (count: number) => (payouts === 0 ? 0 : count / payouts);
    const list = [...newestFirst(this.#changedList), ...newestFirst(this.#sameList)];
    const rules = [
      ...this.#proposed.map((rule) => ({ rule, change: changeOf(rule, this.#active) })),
      ...this.#active
        .filter(({ id }) => this.#proposed.every((rule) => rule.id !== id))
        .map((rule) => ({ rule, change: "removed" as const })),
    ];
    return {
      payouts,
      sums,
      days: byDay.map((_, day) => new Date(this.#fromMs + day * dayMs).toISOString().slice(0, 10)),
      payouts_by_day: byDay,
      rules: rules.map(({ rule: { id, name, sentence, act }, change }) => {
        const { count, also, noLonger, sums, byDay } = this.#rules.get(id) as Count;
        return {
          ...{ rule_id: id, name, sentence, act, change },
          ...{ count, share: share(count), sums, also, no_longer: noLonger, by_day: byDay },
        };
      }),
      acts: [...this.#acts].map(([act, { proposed, active }]) => ({
        act,
        count: proposed.count,
        share: share(proposed.count),
        sums: proposed.sums,
        active_count: active.count,
        also: proposed.also,
        no_longer: proposed.noLonger,
        by_day: proposed.byDay,
        active_by_day: active.byDay,
      })),
      changed: this.#changed,
      list: list.slice(0, this.#listMax),
    };
  }

  #newCount(): Count {
    return new Count(this.#days);
  }

  #addToRules(
    payout: BacktestPayout,
    day: number,
    active: readonly BacktestMatch[],
    proposed: readonly BacktestMatch[],
  ): void {
    const isRemoved = (id: string) => this.#proposed.every((rule) => rule.id !== id);
    for (const { ruleId } of proposed) {
      const count = this.#rules.get(ruleId) as Count;
      count.add(payout, day);
      if (active.every((match) => match.ruleId !== ruleId)) count.also += 1;
    }
    for (const { ruleId } of active) {
      if (proposed.some((match) => match.ruleId === ruleId)) continue;
      const count = this.#rules.get(ruleId) as Count;
      count.noLonger += 1;
      if (isRemoved(ruleId)) count.add(payout, day);
    }
  }

  #addToList(
    { id, subaccountId, receiverId, atMs, amount, currency }: BacktestPayout,
    active_act: RuleAct | null,
    act: RuleAct | null,
    matches: readonly BacktestMatch[],
  ): void {
    const list = act === active_act ? this.#sameList : this.#changedList;
    list.push({
      payout_id: id,
      subaccount_id: subaccountId,
      receiver_id: receiverId,
      at: atMs,
      amount: toSum(amount),
      currency,
      active_act,
      act,
      rules: matches.map(({ ruleId, act, figures }) => ({ rule_id: ruleId, act, figures })),
    });
    if (list.length < 2 * this.#listMax) return;
    const newest = newestFirst(list).slice(0, this.#listMax);
    list.splice(0, list.length, ...newest);
  }
}

function strongest(matches: readonly BacktestMatch[]): RuleAct | null {
  return ruleActs.find((act) => matches.some((match) => match.act === act)) ?? null;
}

function changeOf(rule: ReportedRule, active: ReportedSet): RuleEffect["change"] {
  const before = active.find(({ id }) => id === rule.id);
  if (!before) return "new";
  return before.sentence === rule.sentence && before.name === rule.name ? "same" : "changed";
}

function newestFirst(list: readonly BacktestedPayout[]): BacktestedPayout[] {
  const newer = (one: BacktestedPayout, other: BacktestedPayout) =>
    other.at - one.at || (one.payout_id < other.payout_id ? 1 : -1);
  return [...list].sort(newer);
}
