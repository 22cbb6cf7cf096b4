// Freezes a bank batch: payouts that are due go into one file, whose bytes never change. Payouts, transfers, file and
// lines are committed together, so a payout is in a file or it is queued, never both and never neither.

import type { FileTotals, Payment } from "../../../../packages/bank-formats/src/index.ts";
import {
  movePayouts,
  movePayoutsAlike,
  type PayoutMove,
  postMoveTransfers,
  toPayoutMove,
} from "../../money/payouts/index.ts";
import { newId } from "../../platform/base/index.ts";
import type { Db, Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import {
  type BankConnection,
  type BatchWindow,
  bankFormats,
  countFile,
  fileCountMax,
  fileTotalMax,
  lockConnection,
} from "../connections/index.ts";
import { storeFile } from "./batch-file.ts";
import { keysOfBatch } from "./batch-payouts.ts";
import { insertBatch } from "./batch-queries.ts";
import {
  type BatchLine,
  type FreezePlace,
  firstPlace,
  insertBatchLines,
  lockPayoutsToFreeze,
  type PayoutToFreeze,
} from "./freeze-queries.ts";
import { accountKey, comparableText, matchKey } from "./match-key.ts";
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
async function freezeFile(
  parts: FileParts,
  connection: BankConnection,
  freezing: Freezing,
): Promise<string | undefined> {
  const { tx, seal } = parts;
  const { who, atMs, window } = freezing;
  // Freezes of one connection come one after another: each payout is in one file.
  const { files = 0 } = (await lockConnection(tx, connection.id)) ?? {};
  const sequence = Number(files) + 1;
  const id = newId();
  const { processDate, cutoffMs } = window;
  const writer = connection.format.open(
    { fileId: id, sequence, processDate, createdAtMs: atMs },
    connection.settings,
  );
  const file = storeFile({ tx, seal }, id);
  const { count, total, stopped } = await writePayments(parts, connection, {
    ...freezing,
    id,
    write: (payment) => file.write(writer.payment(payment)),
  });
  if (count === 0) {
    await stop(tx, stopped);
    return undefined;
  }
  await file.write(writer.trailer());
  const { sha256, bytes } = await file.end(writer.header({ count, total }));
  await insertBatch(tx, {
    id,
    connection_id: connection.id,
    sequence,
    process_date: processDate,
    cutoff_ms: cutoffMs,
    payouts: count,
    total,
    currency: connection.row.currency,
    file_name: fileNameOf(connection, processDate, sequence),
    file_sha256: sha256,
    file_bytes: bytes,
    frozen_at_ms: atMs,
    frozen_by: who,
  });
  await countFile(tx, connection.id);
  // Last, because it locks the balances of every subaccount in the file.
  for await (const keys of keysOfBatch(tx, id)) {
    const moved = keys.map((key) => ({ ...key, move: "batch" as const }));
    await postMoveTransfers(tx, moved, { who, atMs });
  }
  await stop(tx, stopped);
  return id;
}

async function stop(tx: Tx, moves: readonly PayoutMove[]): Promise<void> {
  if (moves.length > 0) await movePayouts(tx, moves);
}

type Writing = Freezing & { id: string; write(payment: Payment): Promise<void> };

type Ready = { row: PayoutToFreeze; payment: Payment };

/**
 * Writes payments page by page until the file is full, and moves them. A caller's batch is not divided, unless it is
 * larger than a file. Returns those that no file of the connection can hold: they are rejected, with the reason.
 */
async function writePayments(
  { tx, seal }: FileParts,
  connection: BankConnection,
  { who, atMs, window, id, write }: Writing,
): Promise<FileTotals & { stopped: PayoutMove[] }> {
  const [countMax, totalMax] = [fileCountMax(connection), fileTotalMax(connection)];
  const { format, settings } = connection;
  const rules = { format, settings, fileTotalMax: totalMax };
  const uniqueReference = uniqueReferences(format.toReference);
  const reason = `frozen into a file of ${connection.row.name}`;
  const { processDate } = window;
  const stopped: PayoutMove[] = [];
  let [count, total] = [0, 0n];
  // The payments of one caller's batch, until it ends.
  let group: Ready[] = [];
  let groupTotal = 0n;
  let lines: BatchLine[] = [];
  let isFull = false;
  // A page is written while the next one is prepared.
  let written: Promise<void> = Promise.resolve();

  for await (const page of pagesOf(tx, connection, window)) {
    for (const row of page) {
      const prepared = preparePayment(row, seal, rules);
      if ("cause" in prepared) {
        const { cause } = prepared;
        stopped.push(toPayoutMove(row, { move: "stop", who, atMs, reason: cause, cause }));
        continue;
      }
      const { payment } = prepared;
      if (!isOfOneBatch(group[0]?.row, row)) await writeGroup();
      isFull =
        count + group.length + 1 > countMax || total + groupTotal + payment.amount > totalMax;
      if (isFull) break;
      group.push({ row, payment });
      groupTotal += payment.amount;
    }
    // The next file begins with the batch. Where this file began with it, no file holds all of it.
    if (isFull && count > 0) group = [];
    if (isFull) await writeGroup();
    await written;
    written = writePage(lines);
    // Reported where it is awaited.
    written.catch(() => {});
    lines = [];
    if (isFull) break;
  }
  await writeGroup();
  await written;
  await writePage(lines);
  return { count, total, stopped };

  async function writeGroup(): Promise<void> {
    for (const { row, payment } of group) {
      [count, total] = [count + 1, total + payment.amount];
      const fileReference = uniqueReference(payment);
      await write({ ...payment, statementReference: fileReference });
      const returned = { ...payment, reference: fileReference };
      lines.push({
        subaccountId: row.subaccount_id,
        id: row.id,
        line: count,
        fileReference,
        matchKey: matchKey(seal, connection.id, returned),
        accountKey: accountKey(seal, connection.id, returned),
      });
    }
    group = [];
    groupTotal = 0n;
  }

  async function writePage(lines: readonly BatchLine[]): Promise<void> {
    const request = { move: "batch", who, atMs, reason, processDate, bankBatchId: id } as const;
    await movePayoutsAlike(tx, lines, request);
    await insertBatchLines(tx, id, lines);
  }
}

function isOfOneBatch(one: PayoutToFreeze | undefined, other: PayoutToFreeze): boolean {
  return (
    one !== undefined &&
    other.batch_id !== null &&
    one.batch_id === other.batch_id &&
    one.subaccount_id === other.subaccount_id
  );
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
    const lockAfter = (after: FreezePlace) => {
      const page = lockPayoutsToFreeze(tx, { rail, untilMs: freezesAtMs, after, limit });
      // Reported where it is awaited.
      page.catch(() => {});
      return page;
    };
    // The next page is read while this one is prepared.
    for (let next = lockAfter(firstPlace); ; ) {
      const page = await next;
      const lastRow = page.at(-1);
      if (!lastRow) break;
      next = lockAfter(placeOf(lastRow));
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
  // Where to go on counting, so that many equal payments don't count from 1 again and again.
  const numbers = new Map<string, number>();
  return ({ bsb, bankCode, accountNumber, amount, statementReference }) => {
    // As the format writes it, so that what a bank returns is what we keep.
    const start = toReference(statementReference);
    const payment = `${bsb} ${bankCode} ${accountNumber} ${amount}`;
    const first = `${payment} ${start}`;
    for (let number = numbers.get(first) ?? 1; ; number += 1) {
      const end = number === 1 ? "" : ` ${number}`;
      // Where the number no longer fits, it takes the place of the last characters.
      const whole = toReference(start + end);
      const reference = whole.endsWith(end) ? whole : start.slice(0, -end.length) + end;
      const name = `${payment} ${comparableText(reference)}`;
      if (used.has(name)) continue;
      used.add(name);
      numbers.set(first, number + 1);
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
  // So that a file of the simulator is not taken for one of a real bank.
  const start = row.mode === "test" ? `test-${name}` : name;
  return `${start}-${processDate}-${String(sequence).padStart(6, "0")}.${ending}`;
}
