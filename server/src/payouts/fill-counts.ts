// Fills the running totals of large subaccounts before rules are switched on, page by page and without the lock of the
// balance. Otherwise the first payout would count a million earlier ones under that lock, and fail for the time it takes.

import type { Db } from "../db/connect.ts";
import { limits } from "../limits.ts";
import {
  type BacktestBalance,
  findLastTransferBefore,
  listBacktestBalances,
} from "../rules/backtest-queries.ts";
import { findActiveRuleSet, findRuleSet, isProposedUntilEnd } from "../rules/queries.ts";
import { countedMs } from "../rules/rule.ts";
import { compileRuleSet, nextEpochs } from "../rules/rule-set.ts";
import { insertFilledPage, lockFill } from "./count-fill-queries.ts";

type Filling = {
  nowMs: number;
  /** A balance with more transfers is large. */
  above?: number;
  /** Transfers of one transaction. */
  pageSize?: number;
};

const balancesPage = 1_000;
const noId = "00000000-0000-0000-0000-000000000000";

/**
 * For a version that is about to be approved. What it fills is used only if the version is approved; what is accepted
 * in the meantime is added by the first payout that the version decides on. It can be repeated, and continues.
 */
export async function fillCounts(
  db: Db,
  version: number,
  { nowMs, above = limits.countFillAbove, pageSize = limits.countFillPage }: Filling,
): Promise<void> {
  const proposed = await findRuleSet(db, version);
  if (proposed?.status !== "proposed") return;
  const { rules } = proposed;
  const epochs = nextEpochs(await findActiveRuleSet(db), { version, rules });
  // Counting goes on as before, or no rule is about subaccounts. Receivers and accounts have few payouts.
  if (epochs.subaccount !== version) return;
  const { scopeOf } = compileRuleSet({ version, rules, epochs });
  let after = { subaccountId: noId, currency: "" };
  let page: BacktestBalance[];
  do {
    page = await listBacktestBalances(db, after, balancesPage);
    for (const balance of page) {
      if (!scopeOf(balance).subjects.includes("subaccount")) continue;
      const first = await findLastTransferBefore(db, balance, nowMs - countedMs);
      const isLarge = balance.transfers - first > above;
      if (isLarge && !(await fillBalance(db, balance, { version, first, pageSize }))) return;
    }
    after = page.at(-1) ?? after;
  } while (page.length === balancesPage);
}

/** False: the version was decided in the meantime. */
async function fillBalance(
  db: Db,
  { subaccountId, currency, transfers }: BacktestBalance,
  { version, first, pageSize }: { version: number; first: number; pageSize: number },
): Promise<boolean> {
  const balance = { subaccountId, currency, epoch: version };
  for (;;) {
    const left = await db.transaction(async (tx) => {
      if (!(await isProposedUntilEnd(tx, version))) return undefined;
      const place = await lockFill(tx, balance, first);
      const upTo = Math.min(place + pageSize, transfers);
      if (upTo > place) await insertFilledPage(tx, balance, { after: place, upTo });
      return transfers - upTo;
    });
    if (left === undefined) return false;
    if (left <= 0) return true;
  }
}
