// Imports a file of payouts: compares the totals that the user typed with the file, then creates each row once and
// reports progress.

import { hash } from "node:crypto";
import {
  type BalanceSurvey,
  type CheckParts,
  checkFile,
  insertFileImport,
  payoutRequestOf,
  payoutsOfRows,
  type Row,
  rowsOf,
} from "../../../money/imports/index.ts";
import type { PayoutParts } from "../../../money/payouts/index.ts";
import { type Caller, newId } from "../../../platform/base/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import { problem, Refusal } from "../../../platform/refusals/index.ts";
import { type Actor, audited } from "../../../tenants/audit/index.ts";
import { rowCallers } from "./row-callers.ts";
import { type RunParts, runRows } from "./run-rows.ts";
import type { FileToImport, ImportLine } from "./schema.ts";

export type ImportParts = CheckParts &
  RunParts & {
    seal: Seal;
    onPayoutDue: PayoutParts["onDue"];
  };

type Releasing = {
  actor: Actor;
  caller: Caller;
  /** Called before each batch of rows. False ends the import. */
  stillMay: () => Promise<boolean>;
};

/** Refuses a file with errors or unconfirmed totals. Reading the result creates the payouts. */
export async function releaseFile(
  parts: ImportParts,
  { actor, caller, stillMay }: Releasing,
  { csv, totals, file_name = "", retry_of }: FileToImport,
): Promise<AsyncGenerator<ImportLine>> {
  const { db, seal } = parts;
  const { subaccountId, mode } = caller;
  const { rows, problemCount, problems, balances } = await checkFile(parts, {
    subaccountId,
    mode,
    csv,
  });
  const [first] = problems;
  if (first) {
    const message = `${problemCount} problems, the first in row ${first.row}: ${first.message}`;
    throw new Refusal("CONS503", { message });
  }
  if (!isAgreed(balances, totals)) throw new Refusal([problem("CONS504", "totals")]);

  const batchId = newId();
  const entry = {
    action: "payouts.import",
    object: { kind: "batch", id: batchId },
    after: { rows, file_sha256: hash("sha256", csv), totals: balances.map(agreedTo) },
  };
  const file = { kind: "payouts", fileName: file_name, rows, who: actor.who } as const;
  await audited({ db, seal }, actor).transaction(entry, (tx) =>
    insertFileImport(
      tx,
      { subaccountId, id: batchId },
      { ...file, retryOf: retry_of, atMs: Date.now() },
    ),
  );
  const batchTotals = new Map(balances.map(({ currency, amount }) => [currency, amount]));
  return makeAll(parts, { actor, caller, stillMay }, { csv, rows, batchId, batchTotals });
}

/** The totals must name exactly the currencies of the file. */
function isAgreed(balances: readonly BalanceSurvey[], totals: FileToImport["totals"]): boolean {
  const typed = new Map(totals.map(({ currency, amount }) => [currency, BigInt(amount)]));
  const due = balances.filter(({ payouts }) => payouts > 0);
  return (
    typed.size === due.length && due.every(({ currency, amount }) => typed.get(currency) === amount)
  );
}

function agreedTo({ currency, payouts, amount }: BalanceSurvey) {
  return { currency, payouts, amount };
}

type ReleasedFile = {
  csv: string;
  rows: number;
  batchId: string;
  batchTotals: ReadonlyMap<string, bigint>;
};

function makeAll(
  parts: ImportParts,
  { actor: { who }, caller, stillMay }: Releasing,
  { csv, rows: total, batchId, batchTotals }: ReleasedFile,
): AsyncGenerator<ImportLine> {
  const { db, rails, onPayoutDue } = parts;
  return runRows(parts, {
    key: { subaccountId: caller.subaccountId, id: batchId },
    total,
    rows: justRows(csv),
    creator: payoutsOfRows({ db, rails, who, batchId, batchTotals }, rowCallers(caller)),
    stillMay,
    onCreated: () => onPayoutDue?.(),
    requestOf: payoutRequestOf,
  });
}

async function* justRows(csv: string): AsyncGenerator<Row[]> {
  for await (const { rows } of rowsOf(csv)) yield rows;
}
