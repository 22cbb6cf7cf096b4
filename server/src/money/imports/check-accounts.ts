// Checks a whole file of accounts before any is added: the form of each row, whose account it is, and whether the receiver has
// it already.

import { maskedNumber } from "../../people/person/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { importLimits } from "./import-limits.ts";
import { type Row, type RowProblem, readRows } from "./import-rows.ts";
import { newPayeesOf, type RowOfNewPayee } from "./new-payees.ts";
import { type GivenFile, openFile, type ReadingOfFile } from "./opened-file.ts";
import { findPayees } from "./payee-find.ts";
import { listPayeesOfRows, type PayeeOfRow } from "./payee-preview-queries.ts";
import { accountsFormat } from "./payout-file.ts";
import { ProblemFile } from "./problem-file.ts";

/** What would become of a row. `exists`: the receiver has the account, or an earlier row names it. */
export type AccountVerdict = "ready" | "problem" | "exists" | "account_waits";

export type AccountPreview = {
  row: number;
  /** Whose account it is. */
  name: string;
  /** Masked. */
  account: string;
  verdict: AccountVerdict;
  /** What to look at before it is added. */
  remarks: string[];
  problems: RowProblem[];
};

export type CheckedAccounts = ReadingOfFile & {
  rows: number;
  counts: Record<AccountVerdict, number>;
  /** A row for each account to add. */
  toCreate: Row[];
  /** The first rows, those with problems before the others. */
  preview: AccountPreview[];
  /** The rows with problems as CSV, with a column that names them. Empty if there are none. */
  problemFile: string;
};

type AccountFile = GivenFile & { subaccountId: string };

export function checkAccounts(
  parts: { db: Db; seal: Seal },
  file: AccountFile,
): Promise<CheckedAccounts> {
  const { subaccountId } = file;
  const kind = { subaccountId, kind: "accounts", format: accountsFormat } as const;
  return openFile(parts.db, file, kind, async ({ sheet, plan, ...reading }) => {
    const counts = { ready: 0, problem: 0, exists: 0, account_waits: 0 };
    const wrong: AccountPreview[] = [];
    const right: AccountPreview[] = [];
    const problemFile = new ProblemFile(sheet.header);
    const { find, accounts } = newPayeesOf(parts, subaccountId);
    const firstRows = () => new Set([...accounts.values()].map(({ row }) => row));
    type Found = RowOfNewPayee | RowProblem[] | undefined;
    type Owner = Pick<AccountPreview, "name" | "account">;
    const note = (row: Row, found: Found, isFirst: boolean, owner?: Owner) => {
      const problems = Array.isArray(found) ? found : found ? [] : row.problems;
      const of = found && !Array.isArray(found) ? found : undefined;
      const verdict = verdictOf(problems, of, isFirst);
      counts[verdict] += 1;
      if (problems.length > 0) problemFile.add(row, problems);
      const list = problems.length > 0 ? wrong : right;
      if (list.length >= importLimits.previewMax) return;
      const { name = "", account = "" } = of ?? owner ?? {};
      list.push({ row: row.number, name, account, verdict, remarks: of?.remarks ?? [], problems });
    };
    if (reading.missing.length === 0) {
      for await (const { rows } of readRows(sheet, accountsFormat, plan)) {
        const named = await findPayees(parts, subaccountId, rows);
        const found = await find(named);
        const first = firstRows();
        const owners = await listPayeesOfRows(parts.db, subaccountId, named.flatMap(accountIdOf));
        for (const [index, row] of named.entries()) {
          const owner = owners.get(accountIdOf(row)[0] ?? "");
          note(row, found[index], first.has(row.number), owner && shownOf(owner));
        }
      }
    }
    const toCreate = [...accounts.values()].map(({ row, receiver, given }): Row => {
      const receiver_id = "id" in receiver ? receiver.id : "";
      return { number: row, cells: [], fields: { receiver_id, ...given }, problems: [] };
    });
    return {
      ...reading,
      rows: sheet.count,
      counts,
      toCreate,
      preview: [...wrong, ...right].slice(0, importLimits.previewMax),
      problemFile: problemFile.text(),
    };
  });
}

/** Of an account that the receiver has. */
function accountIdOf({ fields: { account_id } }: Row): string[] {
  return typeof account_id === "string" ? [account_id] : [];
}

function shownOf({ first_name, last_name, account_number_tail }: PayeeOfRow) {
  return {
    name: `${first_name} ${last_name}`.trim(),
    account: maskedNumber(account_number_tail),
  };
}

function verdictOf(
  problems: readonly RowProblem[],
  of: RowOfNewPayee | undefined,
  isFirst: boolean,
): AccountVerdict {
  if (problems.length > 0) return "problem";
  if (of?.needs === "account_waits") return "account_waits";
  return of && isFirst ? "ready" : "exists";
}
