// Backtest: what a proposed rule set would have done to the payouts of the last 90 days, beside the active one. It calls
// the rules as live payouts do, with the facts of that time. Payouts of each balance are read in the order in which they
// were decided, page by page, from rows that never change: so no long transaction stays open, and a bounded share of one
// connection is used.

import { setTimeout as wait } from "node:timers/promises";
import type { Mode } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import {
  type BacktestBalance,
  findLastTransferBefore,
  listBacktestBalances,
  listPastPayouts,
  type PastPayout,
  sumTransfers,
} from "./backtest-queries.ts";
import { type BacktestFigures, type BacktestMatch, BacktestReport } from "./backtest-report.ts";
import { evaluateRules, isInScope, type RuleFacts } from "./evaluate.ts";
import { figuresInWords } from "./figures.ts";
import { type PastFacts, readPastFacts, type UnknownFact, UnknownFacts } from "./past-facts.ts";
import type { Rule } from "./rule.ts";
import { ruleSentence } from "./sentence.ts";
import { WindowBook, windowNeeds } from "./window-book.ts";

type Listed = BacktestFigures["list"][number];

/** The figures of one mode, with the names of rules and their figures in words for users. */
export type ModeBacktest = Omit<BacktestFigures, "list"> & {
  mode: Mode;
  list: (Omit<Listed, "rules"> & {
    rules: (Listed["rules"][number] & { name: string; text: string })[];
  })[];
};

export type Backtest = {
  from: number;
  to: number;
  /** The payouts of all modes. */
  payouts: number;
  /** Test money is never added to real money. A mode without payouts is left out. */
  modes: ModeBacktest[];
  /** Facts that history does not have for all payouts. */
  unknown: UnknownFact[];
};

export type BacktestRequest = {
  active: readonly Rule[];
  proposed: readonly Rule[];
  nowMs: number;
};

export type BacktestStep =
  | { kind: "progress"; payouts: number; done: number }
  | { kind: "result"; result: Backtest };

const dayMs = 86_400_000;
const backtestDays = 90;
const payoutsListedMax = 200;
/** Transfers that one statement reads. */
const transfersPage = 2000;
const balancesPage = 200;
const pauseMaxMs = 1_000;
/** An id is made before the lock of its balance, so a payout may be a little older than its place says. */
const slackMs = 600_000;

/** Progress, and the result as the last step. Not reading on ends it. */
export async function* runBacktest(
  db: Db,
  { active, proposed, nowMs }: BacktestRequest,
): AsyncGenerator<BacktestStep> {
  const { background } = db;
  const fromMs = nowMs - backtestDays * dayMs;
  const range = { fromMs, toMs: nowMs, listMax: payoutsListedMax };
  const sets = { active: active.map(reported), proposed: proposed.map(reported) };
  const reports = {
    live: new BacktestReport(sets, range),
    test: new BacktestReport(sets, range),
  };
  const unknown = new UnknownFacts();
  const transfers = await sumTransfers(background);
  let [payouts, done] = [0, 0];
  let balances: BacktestBalance[] = [];
  const first = { subaccountId: "00000000-0000-0000-0000-000000000000", currency: "" };
  do {
    balances = await listBacktestBalances(background, balances.at(-1) ?? first, balancesPage);
    for (const balance of balances) {
      const inScope = (rule: Rule) => isInScope(rule, balance);
      const own = { active: active.filter(inScope), proposed: proposed.filter(inScope) };
      for await (const page of judgeBalance(db, balance, own, range)) {
        for (const { payout, facts, matches } of page.judged) {
          reports[balance.mode].add(payout, matches.active, matches.proposed);
          unknown.add(facts);
        }
        payouts += page.judged.length;
        yield {
          kind: "progress",
          payouts,
          done: Math.min(1, (done + page.number) / Math.max(1, transfers)),
        };
      }
      done += balance.transfers;
    }
  } while (balances.length === balancesPage);
  const modes = (["live", "test"] as const)
    .map((mode) => ({ mode, ...withWords(reports[mode].figures, [...active, ...proposed]) }))
    .filter((one) => one.payouts > 0);
  yield {
    kind: "result",
    result: { from: fromMs, to: nowMs, payouts, modes, unknown: unknown.found },
  };
}

type Sets = { active: readonly Rule[]; proposed: readonly Rule[] };
type Judged = {
  payout: PastPayout & { atMs: number };
  facts: PastFacts;
  matches: Record<keyof Sets, BacktestMatch[]>;
};

/** The payouts of one balance, with the rules of both sets that apply to each. */
export async function* judgeBalance(
  { background }: Db,
  balance: BacktestBalance,
  { active, proposed }: Sets,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): AsyncGenerator<{ number: number; judged: Judged[] }> {
  const rules = [...active, ...proposed];
  const needs = windowNeeds(rules);
  // Windows of the first payouts reach back before the first day.
  const startMs = fromMs - Math.max(0, ...needs.values()) - slackMs;
  // A payout that one set refuses does not count for that set, so each has a book of its own where one refuses.
  const refuses = rules.some(({ then }) => then.act === "refuse");
  const book = new WindowBook(needs);
  const books = { active: book, proposed: refuses ? new WindowBook(needs) : book };
  let number = await findLastTransferBefore(background, balance, startMs);
  while (number < balance.transfers) {
    const startedMs = performance.now();
    const upTo = Math.min(number + transfersPage, balance.transfers);
    const payouts = await listPastPayouts(background, balance, { after: number, upTo });
    const inRange = payouts.filter(
      ({ createdAtMs }) => createdAtMs >= fromMs && createdAtMs < toMs,
    );
    const facts = await readPastFacts(background, balance, inRange, rules);
    const judged: Judged[] = [];
    for (const payout of payouts) {
      const past = facts.get(payout.id);
      const refused = new Set<WindowBook>();
      if (past) {
        const judge = (set: readonly Rule[], own: WindowBook) => {
          const matches = set.length === 0 ? [] : judgePayout(set, own, balance, payout, past);
          if (matches.some(({ act }) => act === "refuse")) refused.add(own);
          return matches;
        };
        judged.push({
          payout: { ...payout, atMs: payout.createdAtMs },
          facts: past,
          matches: {
            active: judge(active, books.active),
            proposed: judge(proposed, books.proposed),
          },
        });
      }
      for (const own of new Set([books.active, books.proposed])) {
        if (!refused.has(own)) own.count(payout);
      }
    }
    yield { number: upTo, judged };
    number = upTo;
    // As long as the work took: never more than half of the time of one connection.
    await wait(Math.min(performance.now() - startedMs, pauseMaxMs));
  }
}

function judgePayout(
  rules: readonly Rule[],
  book: WindowBook,
  { mode, subaccountId, currency }: BacktestBalance,
  payout: PastPayout,
  past: PastFacts,
): BacktestMatch[] {
  const facts: RuleFacts = {
    ...past.known,
    mode,
    subaccountId,
    currency,
    amount: payout.amount,
    atMs: payout.createdAtMs,
    totalsOf: (of, window) => book.totalsWith(payout, of, window),
  };
  return evaluateRules(rules, facts).map(({ rule, figures }) => ({
    ruleId: rule.id,
    act: rule.then.act,
    figures,
  }));
}

function reported(rule: Rule) {
  const { id, name, then } = rule;
  return { id, name, sentence: ruleSentence(rule), act: then.act };
}

function withWords(
  { list, ...figures }: BacktestFigures,
  rules: readonly Rule[],
): Omit<ModeBacktest, "mode"> {
  // The last wins: of a rule that is in both sets, the proposed one.
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  return {
    ...figures,
    list: list.map(({ rules: matched, ...payout }) => ({
      ...payout,
      rules: matched.map((match) => {
        const rule = byId.get(match.rule_id) as Rule;
        const text = figuresInWords(match.figures, payout.currency);
        return { ...match, name: rule.name, text };
      }),
    })),
  };
}
