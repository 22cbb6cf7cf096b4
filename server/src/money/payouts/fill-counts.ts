// Fills the running totals of large subaccounts before rules are switched on, or before a subaccount moves here, page by
// page and without the lock of the balance. Otherwise the first payout would count a million earlier ones under that lock,
// and fail for the time it takes.

import type { Db, Tx } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import {
  type BacktestBalance,
  type CompiledRuleSet,
  compileRuleSet,
  countedMs,
  findActiveRuleSet,
  findLastTransferBefore,
  findRuleSet,
  isProposedUntilEnd,
  listBacktestBalances,
  listBalancesOfSubaccount,
  nextEpochs,
} from "../rules/index.ts";
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
export async function fillCounts(db: Db, version: number, filling: Filling): Promise<void> {
  const proposed = await findRuleSet(db, version);
  if (proposed?.status !== "proposed") return;
  const { rules } = proposed;
  const epochs = nextEpochs(await findActiveRuleSet(db), { version, rules });
  // Counting goes on as before, or no rule is about subaccounts. Receivers and accounts have few payouts.
  if (epochs.subaccount !== version) return;
  const set = compileRuleSet({ version, rules, epochs });
  const isUndecided = (tx: Tx) => isProposedUntilEnd(tx, version);
  let after = { subaccountId: noId, currency: "" };
  let page: BacktestBalance[];
  do {
    page = await listBacktestBalances(db, after, balancesPage);
    for (const balance of page) {
      if (!(await fillIfLarge(db, set, balance, { ...filling, isUndecided }))) return;
    }
    after = page.at(-1) ?? after;
  } while (page.length === balancesPage);
}

/**
 * For a subaccount that moves to this cell, before its first payout here, by the rules in force. It can be repeated, and
 * continues.
 */
export async function fillCountsOfSubaccount(
  db: Db,
  subaccountId: string,
  filling: Filling,
): Promise<void> {
  const active = await findActiveRuleSet(db);
  if (!active) return;
  const set = compileRuleSet(active);
  for (const balance of await listBalancesOfSubaccount(db, subaccountId)) {
    await fillIfLarge(db, set, balance, filling);
  }
}

type FillOptions = Filling & {
  /** False: the version was decided in the meantime, and nothing more is filled. */
  isUndecided?: (tx: Tx) => Promise<boolean>;
};

/** True: the others may be filled, too. */
async function fillIfLarge(
  db: Db,
  { epochs, scopeOf }: CompiledRuleSet,
  balance: BacktestBalance,
  options: FillOptions,
): Promise<boolean> {
  const { nowMs, above = limits.countFillAbove } = options;
  const epoch = epochs.subaccount;
  if (epoch === undefined || !scopeOf(balance).subjects.includes("subaccount")) return true;
  const first = await findLastTransferBefore(db, balance, nowMs - countedMs);
  if (balance.transfers - first <= above) return true;
  return fillBalance(db, balance, { ...options, epoch, first });
}

async function fillBalance(
  db: Db,
  { subaccountId, currency, transfers }: BacktestBalance,
  options: FillOptions & { epoch: number; first: number },
): Promise<boolean> {
  const { epoch, first, isUndecided, pageSize = limits.countFillPage } = options;
  const balance = { subaccountId, currency, epoch };
  for (;;) {
    const left = await db.transaction(async (tx) => {
      if (isUndecided && !(await isUndecided(tx))) return undefined;
      const place = await lockFill(tx, balance, first);
      const upTo = Math.min(place + pageSize, transfers);
      if (upTo > place) await insertFilledPage(tx, balance, { after: place, upTo });
      return transfers - upTo;
    });
    if (left === undefined) return false;
    if (left <= 0) return true;
  }
}
