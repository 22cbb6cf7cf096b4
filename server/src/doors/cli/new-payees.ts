// The rows of a file that pay new receivers or to new accounts: they are left out of this import, and what they need is created.

import {
  createNewPayees,
  type NewPayees,
  newPayeesOf,
  type Row,
} from "../../money/imports/index.ts";
import { systemClock } from "../../platform/base/index.ts";
import type { ActBy } from "../../tenants/acts/index.ts";
import { type CommandContext, screenerFor } from "./command-context.ts";
import { count } from "./progress.ts";

type Find = (rows: Row[]) => Promise<Row[]>;

export type NewPayeesOfFile = {
  /** For the first pass: without the rows that are paid later. */
  findFirst: Find;
  /** For the passes after it. */
  findRest: Find;
  /** The rows that are paid later, by their numbers. */
  later: ReadonlyMap<number, Row>;
  counts(): { receivers: number; accounts: number };
  /** Returns how many were created, and the reasons why others were not. */
  create(by: ActBy, interrupted: AbortSignal): Promise<Created>;
};

type Created = { receivers: number; accounts: number; problems: string[] };

export function newPayeesOfFile(context: CommandContext, find: Find): NewPayeesOfFile {
  const { db, seal, providers, subaccountId } = context;
  const payees: NewPayees = newPayeesOf({ db, seal }, subaccountId);
  const later = new Map<number, Row>();
  return {
    later,
    async findFirst(rows) {
      const found = await find(rows);
      const results = await payees.find(found);
      return found.flatMap((row, index) => {
        const result = results[index];
        if (result === undefined) return [row];
        if (Array.isArray(result)) return [{ ...row, problems: result }];
        later.set(row.number, { ...(rows[index] as Row), cells: [] });
        return [];
      });
    },
    findRest: (rows) => find(rows.filter(({ number }) => !later.has(number))),
    counts: () => ({ receivers: payees.receivers.size, accounts: payees.accounts.size }),
    async create(by, interrupted) {
      const made: Created = { receivers: 0, accounts: 0, problems: [] };
      const parts = { db, seal, clock: systemClock, providers };
      const screener = await screenerFor(context);
      for await (const line of createNewPayees({ ...parts, screener }, by, payees)) {
        const problems = line.problems.map(({ row, message }) => `row ${row}: ${message}`);
        Object.assign(made, { receivers: line.receivers, accounts: line.accounts, problems });
        if (interrupted.aborted) break;
      }
      return made;
    },
  };
}

export const laterText =
  "Paid from the import's page, or by importing the file again, after the identity check of a new receiver and the approval of a new account.";

/** For the confirmation. Nothing where no row is paid later. */
export function remarksOnLater({ later, counts }: NewPayeesOfFile): string[] {
  if (later.size === 0) return [];
  const { receivers, accounts } = counts();
  return [
    `New: ${count(receivers)} receivers, ${count(accounts)} accounts. ${count(later.size)} rows: ${laterText}`,
  ];
}
