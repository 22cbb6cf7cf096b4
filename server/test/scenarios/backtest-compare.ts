// Compares what a backtest says about a recorded history with the rules that applied when its payouts were decided.

import assert from "node:assert/strict";
import { judgeBalance } from "../../src/money/rules/backtest.ts";
import { listBacktestBalances } from "../../src/money/rules/backtest-queries.ts";
import type { Db } from "../../src/platform/db/connect.ts";
import type { RecordedHistory, RecordedPart } from "./backtest-history.ts";

type Applied = { rule_id: string; act: string; figures: object };
type AppliedById = Record<string, Applied[]>;

const dayMs = 86_400_000;
const first = { subaccountId: "00000000-0000-0000-0000-000000000000", currency: "" };

/** Throws at the first difference. Returns how many payouts and how many rules that applied were compared. */
export async function compareHistory(
  db: Db,
  history: RecordedHistory,
): Promise<{ payouts: number; matches: number }> {
  const counts = { payouts: 0, matches: 0 };
  for (const part of history.parts) {
    const live = await liveOf(db, history.subaccountId, part);
    const backtest = await backtestOf(db, history.subaccountId, part);
    assert.deepEqual(backtest, live);
    counts.payouts += part.payoutIds.size;
    counts.matches += Object.values(live).flat().length;
  }
  return counts;
}

async function liveOf(
  db: Db,
  subaccountId: string,
  { payoutIds, version }: RecordedPart,
): Promise<AppliedById> {
  const { rows } = await db.pool.query<Applied & { payout_id: string; version: string }>(
    `select payout_id, rule_id, act, figures, version from payout_rule_match
     where subaccount_id = $1 and payout_id = any($2::uuid[]) order by payout_id, rule_id`,
    [subaccountId, [...payoutIds]],
  );
  const applied: AppliedById = {};
  for (const { payout_id, rule_id, act, figures, version: by } of rows) {
    assert.equal(Number(by), version);
    applied[payout_id] = [...(applied[payout_id] ?? []), { rule_id, act, figures }];
  }
  return applied;
}

async function backtestOf(
  db: Db,
  subaccountId: string,
  { payoutIds, rules }: RecordedPart,
): Promise<AppliedById> {
  const nowMs = Date.now() + 1;
  const range = { fromMs: nowMs - 90 * dayMs, toMs: nowMs };
  const balances = await listBacktestBalances(db, first, 10_000);
  const found: [string, Applied[]][] = [];
  for (const balance of balances.filter((one) => one.subaccountId === subaccountId)) {
    const inForce = rules.filter(
      ({ currency }) => currency === "" || currency === balance.currency,
    );
    const sets = { active: [], proposed: inForce };
    for await (const { judged } of judgeBalance(db, balance, sets, range)) {
      for (const { payout, matches } of judged) {
        if (!payoutIds.has(payout.id) || matches.proposed.length === 0) continue;
        const applied = matches.proposed.map(({ ruleId: rule_id, act, figures }) => ({
          ...{ rule_id, act, figures },
        }));
        found.push([
          payout.id,
          applied.sort((one, other) => (one.rule_id < other.rule_id ? -1 : 1)),
        ]);
      }
    }
  }
  return Object.fromEntries(found.sort(([one], [other]) => (one < other ? -1 : 1)));
}
