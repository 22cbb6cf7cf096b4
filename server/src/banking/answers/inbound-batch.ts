// What a bank says about one of our whole files: it accepts it, rejects it, or has paid all of it.

import { movePayouts, toPayoutMove } from "../../money/payouts/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { BankConnection } from "../connections/index.ts";
import {
  type BatchMoveName,
  batchMoves,
  batchStatuses,
  canMove,
  changeBatch,
  lockBatch,
} from "../files/index.ts";
import {
  causeOf,
  type InboundDecision,
  type InboundLine,
  type SuspenseReason,
} from "../readers/index.ts";
import { listUnnamedPayouts } from "./inbound-queries.ts";
import { type InboundSums, sumOfMove } from "./inbound-sums.ts";

/** Collected while a file is read. The last report about a batch is the most specific. */
export type BatchReports = {
  last: Map<string, InboundLine>;
  /** Batches of which a payment was rejected. */
  rejectedIn: Set<string>;
};

type BatchRun = {
  tx: Tx;
  connection: BankConnection;
  fileId: string;
  who: string;
  atMs: number;
  batches: BatchReports;
  sums: InboundSums;
};

/** It is applied at the end of the file, when all payments that the file names have their outcome. */
export async function noteBatchReport(
  { tx, connection, batches }: BatchRun,
  line: InboundLine,
): Promise<InboundDecision> {
  const batch = line.batchId === "" ? undefined : await lockBatch(tx, line.batchId);
  const suspend = (reason: SuspenseReason): InboundDecision => ({ outcome: "suspended", reason });
  if (batch?.connection_id !== connection.id) return suspend("no_batch");
  if (batchStatuses[batch.status] !== "sent") return suspend("not_sent");
  if (line.kind === "other" || line.kind === "return") return suspend("needs_decision");
  batches.last.set(batch.id, line);
  const move = moveOfAll(line, connection);
  if (move) return { outcome: "applied", move };
  return { outcome: "noted", detail: `the whole file: ${line.text}` };
}

/** What a report about a whole file does to the payments in it. */
function moveOfAll(
  { kind }: InboundLine,
  { row }: BankConnection,
): "reject" | "settle" | undefined {
  if (kind === "rejection") return "reject";
  const isPaid = kind === "settled" || (kind === "debited" && row.success_when === "confirmed");
  return isPaid ? "settle" : undefined;
}

/** Gives the payments that the file does not name one by one the outcome of their batch, and the batch its status. */
export async function applyBatchReports(run: BatchRun): Promise<void> {
  const { last, rejectedIn } = run.batches;
  for (const [batchId, line] of last) {
    const move = moveOfAll(line, run.connection);
    if (move === "reject") {
      const cause = causeOf(line);
      await moveUnnamed(run, batchId, { move, reason: cause, cause, causeCode: line.code });
    } else if (move === "settle") {
      await moveUnnamed(run, batchId, { move, reason: "paid: the bank confirms it" });
    }
  }
  for (const batchId of new Set([...last.keys(), ...rejectedIn])) {
    const isRejected = last.get(batchId)?.kind === "rejection";
    const move = isRejected ? "reject" : rejectedIn.has(batchId) ? "reject_some" : "accept";
    await moveBatch(run.tx, batchId, move);
  }
}

async function moveBatch(tx: Tx, id: string, move: BatchMoveName): Promise<void> {
  const batch = await lockBatch(tx, id);
  if (!batch || !canMove(batch.status, move)) return;
  // A batch of which payments were rejected stays so when the bank accepts the rest.
  if (move === "accept" && batch.status !== "sent") return;
  await changeBatch(tx, id, { status: batchMoves[move].to });
}

type UnnamedMove = {
  move: "reject" | "settle";
  reason: string;
  cause?: string;
  causeCode?: string;
};

async function moveUnnamed(
  { tx, fileId, who, atMs, sums }: BatchRun,
  batchId: string,
  request: UnnamedMove,
): Promise<void> {
  const limit = limits.bankPageMax;
  for (let afterLine = 0; ; ) {
    const page = await listUnnamedPayouts(tx, { batchId, fileId, afterLine, limit });
    const end = page.at(-1);
    if (!end) return;
    afterLine = end.line;
    for (const { subaccount_id: subaccountId, currency, sent_amount } of page) {
      sums.add(sumOfMove(request.move), { subaccountId, currency, amount: BigInt(sent_amount) });
    }
    await movePayouts(
      tx,
      page.map((row) => toPayoutMove(row, { ...request, who, atMs })),
    );
  }
}
