// Accidents between the steps of a run: a process that ends, a faster process, and a report of the bank.

import type { Db, Tx } from "../../src/db/connect.ts";
import type { DirectRail, InboundItem } from "../../src/rails/rail.ts";
import type { Verdict } from "./payouts-model.ts";

/** The end of a process, as far as its transaction or its look is concerned. */
export class Death extends Error {}

/** Every transaction is broken off: before this statement of it, or else before its commit. */
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

/** A process that dies in the interruption runs no other statement. */
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
