// Recomputes the books: every balance from the transfers alone, every hold from the payouts under way, every month that
// was closed. Tells what differs from what we go by.

import type { Db } from "../db/connect.ts";
import { accounts } from "./ledger.ts";
import { auditBalances, auditOpenPayouts, auditRunningBalances } from "./queries.ts";
import { type Difference, verifyMonths } from "./verify-months.ts";

export type Verified = { purses: number; transfers: bigint; differences: Difference[] };

export async function verifyLedger(db: Db): Promise<Verified> {
  // One snapshot for all questions: the service goes on meanwhile.
  return db.transaction(
    async (tx) => {
      const purses = await auditBalances(tx);
      const differences: Difference[] = [];
      for (const purse of purses) {
        const note = (what: string) =>
          differences.push({ subaccountId: purse.subaccount_id, currency: purse.currency, what });
        for (const account of accounts) {
          const [shown, found] = [purse[account], purse[`${account}_found`]];
          if (shown !== found) note(`${account} is ${shown}, its transfers add up to ${found}`);
        }
        const { transfers, transfers_found, highest_number } = purse;
        if (transfers !== transfers_found || highest_number !== transfers) {
          note(`${transfers} transfers were counted, ${transfers_found} are there`);
        }
      }
      const open = new Map(
        (await auditOpenPayouts(tx)).map((row) => [`${row.subaccount_id} ${row.currency}`, row]),
      );
      for (const { subaccount_id, currency, held, clearing } of purses) {
        const under = open.get(`${subaccount_id} ${currency}`) ?? { held: "0", clearing: "0" };
        const note = (what: string) =>
          differences.push({ subaccountId: subaccount_id, currency, what });
        if (held !== under.held)
          note(`held is ${held}, the payouts that wait add up to ${under.held}`);
        if (clearing !== under.clearing) {
          note(`clearing is ${clearing}, the payouts on their way add up to ${under.clearing}`);
        }
      }
      for (const { subaccount_id, currency, number } of await auditRunningBalances(tx)) {
        const what = `the running balance of transfer ${number} is wrong`;
        differences.push({ subaccountId: subaccount_id, currency, what });
      }
      differences.push(...(await verifyMonths(tx)));
      const transfers = purses.reduce((sum, purse) => sum + BigInt(purse.transfers_found), 0n);
      return { purses: purses.length, transfers, differences };
    },
    { snapshot: true },
  );
}
