// Freezes a bank batch: payouts that are due go into one file, whose bytes never change. Payouts, transfers, file and
// lines are committed together, so a payout is in a file or it is queued, never both and never neither.

import type { Payment } from "../bank-formats/format.ts";
import type { Db, Tx } from "../db/connect.ts";
import { newId } from "../ids.ts";
import { limits } from "../limits.ts";
import { toPayoutMove } from "../payouts/move.ts";
import { movePayouts } from "../payouts/move-queries.ts";
import type { Seal } from "../seal.ts";
import { type FileSink, storeFile } from "./batch-file.ts";
import { insertBatch, setBatchFile } from "./batch-queries.ts";
import { type BankConnection, type BatchWindow, fileCountMax, fileTotalMax } from "./connection.ts";
import { lockConnection, nextSequence } from "./connection-queries.ts";
import { bankFormats } from "./formats/formats.ts";
import {
  type FreezePlace,
  firstPlace,
  insertBatchLines,
  lockPayoutsToFreeze,
  type PayoutToFreeze,
} from "./freeze-queries.ts";
import { preparePayment } from "./payment.ts";

export type FreezeParts = { db: Db; seal: Seal };
export type Freezing = { who: string; atMs: number; window: BatchWindow };

/** Freezes as many files as the limits of the format need. Returns the ids of their batches; none: nothing was due. */
export async function freezeBatches(
  { db, seal }: FreezeParts,
  connection: BankConnection,
  freezing: Freezing,
): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const id = await db.transaction((tx) => freezeFile({ tx, seal }, connection, freezing));
    if (id === undefined) return ids;
    ids.push(id);
  }
}

type FileParts = { tx: Tx; seal: Seal };

/** One file. Undefined: nothing was left that it could hold. */
export async function freezeFile(
  parts: FileParts,
  connection: BankConnection,
  { who, atMs, window }: Freezing,
): Promise<string | undefined> {
  const { tx, seal } = parts;
  // Freezes of one connection come one after another: each payout is in one file.
  await lockConnection(tx, connection.id);
  const { count, total } = await choosePayouts(parts, connection, { who, atMs, window });
  if (count === 0) return undefined;
  const sequence = await nextSequence(tx, connection.id);
  const id = newId();
  await insertBatch(tx, {
    id,
    connection_id: connection.id,
    sequence,
    process_date: window.processDate,
    cutoff_ms: window.cutoffMs,
    payouts: count,
    total,
    currency: connection.row.currency,
    file_name: fileNameOf(connection, window.processDate, sequence),
    frozen_at_ms: atMs,
    frozen_by: who,
  });
  const { processDate } = window;
  const facts = { fileId: id, sequence, processDate, createdAtMs: atMs, count, total };
  const writer = connection.format.open(facts, connection.settings);
  const file = storeFile({ tx, seal }, id);
  await file.write(writer.header());
  const written = await writePayments(parts, connection, {
    who,
    atMs,
    window,
    id,
    count,
    file,
    write: (payment) => writer.payment(payment),
  });
  // The payouts are locked since they were chosen, so the file holds exactly those.
  if (written !== count) throw new Error("a file must hold the payouts that were chosen for it");
  await file.write(writer.trailer());
  await setBatchFile(tx, id, await file.end());
  return id;
}

type Choice = { count: number; total: bigint };

/** How many fit into one file. Those that no file of the format can hold are rejected now, with the reason. */
async function choosePayouts(
  { tx, seal }: FileParts,
  connection: BankConnection,
  { who, atMs, window }: Freezing,
): Promise<Choice> {
  const [countMax, totalMax] = [fileCountMax(connection), fileTotalMax(connection)];
  let [count, total] = [0, 0n];
  for await (const page of pagesOf(tx, connection, window)) {
    const stopped: { row: PayoutToFreeze; cause: string }[] = [];
    let isFull = false;
    for (const row of page) {
      const prepared = preparePayment(row, seal, connection);
      if ("cause" in prepared) {
        stopped.push({ row, cause: prepared.cause });
        continue;
      }
      const { amount } = prepared.payment;
      isFull = count + 1 > countMax || total + amount > totalMax;
      if (isFull) break;
      [count, total] = [count + 1, total + amount];
    }
    await movePayouts(
      tx,
      stopped.map(({ row, cause }) =>
        toPayoutMove(row, { move: "stop", who, atMs, reason: cause, cause, causeCode: "" }),
      ),
    );
    if (isFull) break;
  }
  return { count, total };
}

type Writing = Freezing & {
  id: string;
  /** How many the file holds: the first of those that are due. */
  count: number;
  file: FileSink;
  write(payment: Payment): string;
};

/** Writes and moves them page by page. Returns how many. */
async function writePayments(
  { tx, seal }: FileParts,
  connection: BankConnection,
  { who, atMs, window, id, count, file, write }: Writing,
): Promise<number> {
  const { name, toReference } = connection.format;
  const uniqueReference = uniqueReferences(toReference);
  const reason = `frozen into a file of ${connection.row.name}`;
  let line = 0;
  for await (const rows of pagesOf(tx, connection, window)) {
    const page = rows.slice(0, count - line);
    const lines = [];
    for (const row of page) {
      const prepared = preparePayment(row, seal, connection);
      if ("cause" in prepared) throw new Error(`a payment of ${name} changed during the freeze`);
      line += 1;
      const fileReference = uniqueReference(prepared.payment);
      await file.write(write({ ...prepared.payment, statementReference: fileReference }));
      lines.push({ subaccountId: row.subaccount_id, payoutId: row.id, line, fileReference });
    }
    const moved = await movePayouts(
      tx,
      page.map((row) =>
        toPayoutMove(row, {
          move: "batch",
          who,
          atMs,
          reason,
          bankBatchId: id,
          processDate: window.processDate,
        }),
      ),
    );
    if (moved.size !== page.length) throw new Error("a payout that is locked must move");
    await insertBatchLines(tx, id, lines);
    if (line === count) break;
  }
  return line;
}

/** Page by page, in the order of the file. Where the format separates businesses, those come after all others. */
async function* pagesOf(
  tx: Tx,
  { rail, format }: BankConnection,
  { freezesAtMs }: BatchWindow,
): AsyncGenerator<PayoutToFreeze[], void, void> {
  const limit = limits.bankPageMax;
  const kinds = format.separatesBusinesses ? ["I", "B"] : ["IB"];
  for (const kind of kinds) {
    for (let after = firstPlace; ; ) {
      const page = await lockPayoutsToFreeze(tx, { rail, untilMs: freezesAtMs, after, limit });
      const lastRow = page.at(-1);
      if (!lastRow) break;
      after = placeOf(lastRow);
      yield page.filter((row) => kind.includes(row.individual_or_business));
    }
  }
}

const placeOf = ({ subaccount_id, id }: PayoutToFreeze): FreezePlace => ({
  subaccountId: subaccount_id,
  payoutId: id,
});

/**
 * Banks return a payment by account, amount and reference, so no two payments of a file may share all three. A repeated
 * one gets a number at the end of its reference.
 */
function uniqueReferences(toReference: (text: string) => string): (payment: Payment) => string {
  const used = new Set<string>();
  return ({ bsb, bankCode, accountNumber, amount, statementReference: start }) => {
    for (let number = 1; ; number += 1) {
      const end = number === 1 ? "" : ` ${number}`;
      // Where the number no longer fits, it takes the place of the last characters.
      const whole = toReference(start + end);
      const reference = whole.endsWith(end) ? whole : start.slice(0, -end.length) + end;
      const name = `${bsb} ${bankCode} ${accountNumber} ${amount} ${reference.toUpperCase()}`;
      if (used.has(name)) continue;
      used.add(name);
      return reference;
    }
  };
}

function fileNameOf({ row }: BankConnection, processDate: string, sequence: number): string {
  const ending = bankFormats.get(row.format)?.fileEnding ?? "txt";
  const name = row.name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  return `${name}-${processDate}-${String(sequence).padStart(6, "0")}.${ending}`;
}
