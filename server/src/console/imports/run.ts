// A user releases a file of payouts: what they typed is compared with what the file comes to, then each row is made
// once, and told of as it is.

import { hash } from "node:crypto";
import type { Actor } from "../../audit/actor.ts";
import { audited } from "../../audit/audited.ts";
import type { Caller } from "../../caller.ts";
import { newId } from "../../ids.ts";
import { type CheckParts, checkFile, rowsOf } from "../../imports/check-file.ts";
import { createRows } from "../../imports/create-rows.ts";
import type { Row } from "../../imports/csv-rows.ts";
import type { BalanceSurvey } from "../../imports/payout-survey.ts";
import { payoutsOfRows } from "../../imports/payouts-of-rows.ts";
import type { PayoutParts } from "../../payouts/create.ts";
import { problem, Refusal, refusals } from "../../refusals/refusals.ts";
import type { Seal } from "../../seal.ts";
import type { FileToImport, ImportLine } from "./schema.ts";

export type ImportParts = CheckParts & {
  seal: Seal;
  onPayoutDue: PayoutParts["onDue"];
  isDraining: () => boolean;
  log: { warn(context: object, message: string): void };
};

type Releasing = {
  actor: Actor;
  caller: Caller;
  /** Asked before each batch of rows: false ends the import. */
  stillMay: () => Promise<boolean>;
};

/** Refuses what is not sound or not agreed to. What it gives then makes the payouts, as it is read. */
export async function releaseFile(
  parts: ImportParts,
  { actor, caller, stillMay }: Releasing,
  { csv, totals }: FileToImport,
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
  await audited({ db, seal }, actor).transaction(entry, async () => {});
  const batchTotals = new Map(balances.map(({ currency, amount }) => [currency, amount]));
  return makeAll(parts, { actor, caller, stillMay }, { csv, rows, batchId, batchTotals });
}

/** Every currency that there is something to pay in, and no other. */
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

async function* makeAll(
  { db, rails, onPayoutDue, isDraining, log }: ImportParts,
  { actor: { who }, caller, stillMay }: Releasing,
  { csv, rows, batchId, batchTotals }: ReleasedFile,
): AsyncGenerator<ImportLine> {
  yield { kind: "start", rows, batch_id: batchId };
  // Each row has an id of its own: by it the database tells the rows of a batch apart.
  const callerFor = (idempotency: Caller["idempotency"]) => ({
    ...caller,
    requestId: newId(),
    idempotency,
  });
  const creator = payoutsOfRows({ db, rails, who, batchId, batchTotals }, callerFor);
  let done = 0;
  const isStopped = async () => isDraining() || !(await stillMay());
  try {
    for await (const some of createRows({ rows: justRows(csv), creator, isStopped })) {
      onPayoutDue?.();
      done += some.length;
      for (const { row, outcome, id: payout_id = "", code = "" } of some) {
        const message = code && refusals[code][1];
        yield { kind: "row", row, outcome, payout_id, code, message };
      }
    }
  } catch (error) {
    log.warn({ err: error, batch_id: batchId }, "import of payouts stopped");
  }
  if (done === rows) yield { kind: "end" };
  else
    yield { kind: "stopped", message: "The import stopped. Start it again: it goes on from here." };
}

async function* justRows(csv: string): AsyncGenerator<Row[]> {
  for await (const { rows } of rowsOf(csv)) yield rows;
}
