// What an operator does from the command line is written down for the audit, in the transaction that does it.

import { userInfo } from "node:os";
import type { Command } from "commander";
import { type Act, recordAct } from "../audit/record.ts";
import type { Db } from "../db/connect.ts";
import type { Seal } from "../seal.ts";
import { readLine } from "./option-values.ts";

/** Somebody at the command line. */
export type AuditedActor = { db: Db; seal: Seal; who: string; subaccountId?: string | undefined };

/** What was done. A subaccount is named where the actor is in front of none. */
export type AuditNote = Pick<Act, "action" | "object" | "before" | "after"> & {
  subaccountId?: string;
};

/**
 * The database, for one write: its transaction ends with an entry. Where only the result says what was done, or
 * whether anything was, `noted` is asked with it.
 */
export function audited<Result = unknown>(
  { db, seal, who, subaccountId }: AuditedActor,
  noted: AuditNote | ((result: Result) => AuditNote | undefined),
): Db {
  return {
    ...db,
    transaction: (work, options) =>
      db.transaction(async (tx) => {
        const result = await work(tx);
        const act = typeof noted === "function" ? noted(result as unknown as Result) : noted;
        if (act)
          await recordAct({ tx, seal }, { ip: "", requestId: "", who, subaccountId, ...act });
        return result;
      }, options),
  };
}

export function byOption(command: Command): Command {
  const meaning = "who you are, for the history and the audit; your user name when absent";
  return command.option("--by <name>", meaning, readLine(100));
}

/** How histories and the audit name whoever is at the command line. */
export function commandActorName(by: string | undefined): string {
  return `operator:${by ?? userName()}`;
}

/** A user of a container may have a number and no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? "unknown"}`;
  }
}
