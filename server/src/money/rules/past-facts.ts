// The facts of payouts of the past, as rules need them, and those that history does not have.

import type { Runner } from "../../platform/db/index.ts";
import type { BacktestBalance, PastPayout } from "./backtest-queries.ts";
import type { RuleFacts } from "./evaluate.ts";
import {
  countPastSharers,
  findFirstPayouts,
  findPastIdentityReviews,
  findPastScreeningReviews,
  listLastAmounts,
  listPastDetails,
  listPastPayeeNames,
} from "./past-fact-queries.ts";
import type { Rule } from "./rule.ts";

type Fact = Rule["when"]["fact"];

export type PastFacts = {
  known: Partial<RuleFacts>;
  /** No rule about these applies, whatever the truth was. */
  unknown: readonly Fact[];
};

/** For each payout, by its id. Only what the rules need is read. */
export async function readPastFacts(
  db: Runner,
  balance: BacktestBalance,
  payouts: readonly PastPayout[],
  rules: readonly Rule[],
): Promise<Map<string, PastFacts>> {
  const needed = new Set(rules.map(({ when }) => when.fact));
  const read = async <Value>(
    facts: readonly Fact[],
    query: (
      ...reading: [Runner, BacktestBalance, readonly PastPayout[]]
    ) => Promise<Map<string, Value>>,
  ): Promise<Map<string, Value> | undefined> =>
    payouts.length > 0 && facts.some((fact) => needed.has(fact))
      ? query(db, balance, payouts)
      : undefined;
  const first = await read(["first_payout"], findFirstPayouts);
  const amounts = await read(["above_median"], listLastAmounts);
  const details = await read(["details_changed", "country"], listPastDetails);
  const sharers = await read(["shared_account"], countPastSharers);
  const screening = await read(["screening_review"], findPastScreeningReviews);
  const identity = await read(["identity_review"], findPastIdentityReviews);
  const names = await read(["payee_name"], listPastPayeeNames);
  return new Map(
    payouts.map(({ id }) => {
      const { others = 0, closed = 0 } = sharers?.get(id) ?? {};
      const unknown: Fact[] = [];
      if (others === 0 && closed > 0) unknown.push("shared_account");
      if (names?.get(id)?.isKnown === false) unknown.push("payee_name");
      const known: Partial<RuleFacts> = {
        isFirstPayout: first?.get(id),
        lastAmounts: amounts?.get(id),
        detailsChangedAtMs: details?.get(id)?.changedAtMs,
        countries: details?.get(id)?.countries,
        otherReceivers: others,
        hasScreeningReview: screening?.get(id),
        hasIdentityReview: identity?.get(id),
        payeeName: names?.get(id)?.outcome,
      };
      return [id, { known, unknown }];
    }),
  );
}

export type UnknownFact = { fact: Fact; payouts: number; text: string };

const reasons: Partial<Record<Fact, string>> = {
  shared_account:
    "whether another receiver had the same account: that account is closed by now, and since when is not recorded",
  payee_name:
    "what the payee name check said at that time: only its last outcome is kept, and it counts as unavailable",
};

/** Counts the payouts for which a fact that a rule needs is not known. */
export class UnknownFacts {
  readonly #counts = new Map<Fact, number>();

  add({ unknown }: PastFacts): void {
    for (const fact of unknown) this.#counts.set(fact, (this.#counts.get(fact) ?? 0) + 1);
  }

  get found(): UnknownFact[] {
    return [...this.#counts].map(([fact, payouts]) => {
      const whose = payouts === 1 ? "1 payout" : `${payouts.toLocaleString("en")} payouts`;
      return { fact, payouts, text: `Of ${whose} it is not known ${reasons[fact] ?? fact}.` };
    });
  }
}
