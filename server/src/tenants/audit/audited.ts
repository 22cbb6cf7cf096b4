// Writes with an entry in the audit log: `audited(parts, actor).transaction(entry, work)`. Used by the console and the
// command line.

import type { Db, Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import type { Actor } from "./actor.ts";
import { type AuditNote, recordAct } from "./record.ts";

/** The entry to record. A function if the entry depends on the result. */
type EntryOf<Result> =
  | AuditNote
  | ((result: Result) => AuditNote | readonly AuditNote[] | undefined);

type Audited = {
  /** Runs one transaction that ends with the entry. */
  transaction<Result>(entry: EntryOf<Result>, work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** A database for a function that opens the transaction itself. That transaction ends with the entry. */
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
