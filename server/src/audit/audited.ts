// Writes with an entry in the audit: `audited(parts, actor).transaction(entry, work)`. Console and command line use it alike.

import type { Db, Tx } from "../db/connect.ts";
import type { Seal } from "../seal.ts";
import type { Actor } from "./actor.ts";
import { type AuditNote, recordAct } from "./record.ts";

/** What the audit records. A function where only the result shows what was done, or whether anything was. */
export type EntryOf<Result> =
  | AuditNote
  | ((result: Result) => AuditNote | readonly AuditNote[] | undefined);

export type Audited = {
  /** One transaction that ends with its entry. */
  transaction<Result>(entry: EntryOf<Result>, work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** The database for a function that opens the transaction itself: it ends with the entry. */
  db<Result>(entry: EntryOf<Result>): Db;
};

export function audited({ db, seal }: { db: Db; seal: Seal }, actor: Actor): Audited {
  async function record<Result>(tx: Tx, entry: EntryOf<Result>, result: Result): Promise<void> {
    const made = typeof entry === "function" ? entry(result) : entry;
    for (const note of [made ?? []].flat()) await recordAct({ tx, seal }, actor, note);
  }
  return {
    transaction: (entry, work) =>
      db.transaction(async (tx) => {
        const result = await work(tx);
        await record(tx, entry, result);
        return result;
      }),
    db: (entry) => ({
      ...db,
      transaction: (work, options) =>
        db.transaction(async (tx) => {
          const result = await work(tx);
          await record(tx, entry as EntryOf<unknown>, result);
          return result;
        }, options),
    }),
  };
}
