// Simulated failures in a run: a process that dies, an interruption by another process, and a report of the bank.

import type { DirectRail, InboundItem } from "../../src/money/rails/rail.ts";
import type { Db, Tx } from "../../src/platform/db/connect.ts";
import type { Verdict } from "./payouts-model.ts";

/** Simulates the death of a process during a transaction or a poll. */
export class Death extends Error {}

/** Aborts every transaction before its statement number `before`, or else before its commit. */
export function dyingIn(db: Db, before: number): Db {
  return {
    ...db,
    transaction: (work, options) =>
      db.transaction(async (tx) => {
        let statements = 0;
        const run: Tx["run"] = async (asked, values) => {
          if (statements++ === before) throw new Death();
          return tx.run(asked, values);
        };
        await work({ ...tx, run });
        throw new Death();
      }, options),
  };
}

/** Calls `interrupt` before statement number `before`. If it throws, no further statement runs. */
export function interruptedAt(db: Db, before: number, interrupt: () => Promise<void>): Db {
  let statements = 0;
  let interrupted = Promise.resolve();
  return {
    ...db,
    async run(asked, values) {
      if (statements++ === before) interrupted = interrupt();
      await interrupted;
      return db.run(asked, values);
    },
  };
}

export function bankOf(
  rail: DirectRail,
  verdictOf: (payout: { id: string }) => Verdict,
): DirectRail {
  return {
    ...rail,
    ask: async (payouts) => {
      const items = payouts.map(({ payoutId }): InboundItem => {
        const outcome = verdictOf({ id: payoutId });
        return { payoutId, outcome, cause: outcome, causeCode: "", providerReference: "bank" };
      });
      return Buffer.from(items.map((item) => JSON.stringify(item)).join("\n"));
    },
  };
}
