// Verifies the books: recomputes every balance from its transfers, every hold from the pending payouts, and every
// closed month, and reports the differences.

import type { Db } from "../../platform/db/index.ts";
import { accounts } from "./ledger.ts";
import { auditBalances, auditFees, auditOpenPayouts, auditRunningBalances } from "./queries.ts";
import { type Difference, verifyMonths } from "./verify-months.ts";

type Verified = { balances: number; transfers: bigint; differences: Difference[] };

/** Of all subaccounts, or of one. */
export async function verifyLedger(db: Db, subaccountId?: string): Promise<Verified> {
  // One snapshot for all statements, because the service keeps running.
  return db.transaction(
    async (tx) => {
      const balances = await auditBalances(tx, subaccountId);
      const differences: Difference[] = [];
      for (const balance of balances) {
        const note = (what: string) =>
          differences.push({
            subaccountId: balance.subaccount_id,
            currency: balance.currency,
            what,
          });
        for (const account of accounts) {
          const [shown, found] = [balance[account], balance[`${account}_found`]];
          if (shown !== found) note(`${account} is ${shown}, its transfers add up to ${found}`);
        }
        const { transfers, transfers_found, highest_number } = balance;
        if (transfers !== transfers_found || highest_number !== transfers) {
          note(`${transfers} transfers were counted, ${transfers_found} are there`);
        }
      }
      const open = new Map(
        (await auditOpenPayouts(tx, subaccountId)).map((row) => [
          `${row.subaccount_id} ${row.currency}`,
          row,
        ]),
      );
      for (const { subaccount_id, currency, held, clearing } of balances) {
        const under = open.get(`${subaccount_id} ${currency}`) ?? { held: "0", clearing: "0" };
        const note = (what: string) =>
          differences.push({ subaccountId: subaccount_id, currency, what });
        if (held !== under.held)
          note(`held is ${held}, the payouts that wait add up to ${under.held}`);
        if (clearing !== under.clearing) {
          note(`clearing is ${clearing}, the payouts in progress add up to ${under.clearing}`);
        }
      }
      for (const { subaccount_id, currency, number } of await auditRunningBalances(
        tx,
        subaccountId,
      )) {
        const what = `the running balance of transfer ${number} is wrong`;
        differences.push({ subaccountId: subaccount_id, currency, what });
      }
      for (const { subaccount_id, currency, payout_id } of await auditFees(tx, subaccountId)) {
        const what = `the fee of payout ${payout_id} is not what its transfers charged and gave back`;
        differences.push({ subaccountId: subaccount_id, currency, what });
      }
      const months = await verifyMonths(tx);
      differences.push(
        ...months.filter((one) => !subaccountId || one.subaccountId === subaccountId),
      );
      const transfers = balances.reduce(
        (sum, balance) => sum + BigInt(balance.transfers_found),
        0n,
      );
      return { balances: balances.length, transfers, differences };
    },
    // Adding up the books takes longer than a statement of the service may take.
    { snapshot: true, isUnhurried: true },
  );
}
