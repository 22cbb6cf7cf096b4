// Applies a file from a bank: returns, rejections, acknowledgements. Whole or not at all, and each report once.

import { createHash } from "node:crypto";
import { decodeBankFile } from "../bank-formats/check.ts";
import { type FileProblem, type FileReport, isValid } from "../bank-formats/report.ts";
import { wallClockAt } from "../calendars/wall-clock.ts";
import { type Db, isCollision, type Tx } from "../db/connect.ts";
import { newId } from "../ids.ts";
import { limits } from "../limits.ts";
import { type Code, type Problem, Refusal } from "../refusals/refusals.ts";
import type { Seal } from "../seal.ts";
import { type BankConnection, toConnection } from "./connection.ts";
import { listConnections, lockConnection } from "./connection-queries.ts";
import { applyBatchReports } from "./inbound-batch.ts";
import { connectionsCalled, type FileOwner, findOwner, noteOwner } from "./inbound-connection.ts";
import { findInboundFormat, type InboundFormat } from "./inbound-formats.ts";
import type { InboundLine } from "./inbound-line.ts";
import { fileKindOf } from "./inbound-outcome.ts";
import { applyPage, type InboundRun } from "./inbound-page.ts";
import {
  avoidScans,
  findInboundFile,
  type InboundFileRow,
  insertInboundChunk,
  insertInboundFile,
  isAppliedBefore,
  setInboundCounts,
} from "./inbound-queries.ts";
import { postInboundTransfers } from "./inbound-transfers.ts";

export type InboundParts = { db: Db; seal: Seal };

export type InboundRequest = {
  /** The file's name, for people. */
  name: string;
  /** Where absent, the file says whose it is. */
  connection?: BankConnection | undefined;
  who: string;
  atMs: number;
};

/** `isNew`: false where the same file was applied before, and nothing has changed. */
export type InboundResult = { file: InboundFileRow; isNew: boolean };

export async function applyInbound(
  { db, seal }: InboundParts,
  bytes: Uint8Array,
  request: InboundRequest,
): Promise<InboundResult> {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const before = await findInboundFile(db, sha256);
  if (before) return { file: before, isNew: false };
  const { text, format } = recognise(bytes);
  const { report, owner } = readThrough(text, format, request.atMs);
  const connection = await connectionOf({ db, seal }, owner, request.connection);
  const file = { id: newId(), sha256, format: report.format, bytes };
  const attempt = () =>
    db.transaction((tx) => applyFile({ tx, seal }, { text, format, file, connection, request }));
  for (let triesLeft = limits.collisionTriesMax - 1; ; triesLeft -= 1) {
    try {
      return { file: await attempt(), isNew: true };
    } catch (error) {
      // Another process applied it meanwhile.
      const applied = isAppliedBefore(error) && (await findInboundFile(db, sha256));
      if (applied) return { file: applied, isNew: false };
      if (!isCollision(error) || triesLeft === 0) throw error;
    }
  }
}

function recognise(bytes: Uint8Array): { text: string; format: InboundFormat } {
  if (bytes.length > limits.bankInboundBytesMax) throw new Refusal("BANK405");
  const text = decodeBankFile(bytes);
  const format = text === undefined ? undefined : findInboundFormat(text);
  if (text === undefined || !format) throw new Refusal("BANK402");
  return { text, format };
}

/** Reads the file to its end before anything is applied: its totals and control sums come last. */
function readThrough(
  text: string,
  format: InboundFormat,
  atMs: number,
): { report: FileReport; owner: FileOwner } {
  const owner: FileOwner = { ours: new Set(), batchId: "", payoutId: "" };
  const lines = format.read(text, dayOf(atMs));
  let count = 0;
  for (;;) {
    const { done, value } = lines.next();
    if (!done) {
      count += 1;
      noteOwner(owner, value);
      continue;
    }
    if (!isValid(value)) throw new Refusal(problemsOf(value.problems));
    if (count === 0) throw new Refusal("BANK403");
    return { report: value, owner };
  }
}

const dayOf = (atMs: number) => wallClockAt(atMs, "UTC").date;

function problemsOf(problems: readonly FileProblem[]): [Problem, ...Problem[]] {
  const errors = problems.filter(({ severity }) => severity === "error");
  const [first, ...rest] = errors.slice(0, limits.bankProblemsShownMax).map(toProblem);
  return [first as Problem, ...rest];
}

function toProblem({ line, column, message }: FileProblem): Problem {
  const place = line === 0 ? "" : `line ${line}, column ${column}: `;
  return { code: "BANK401", message: place + message };
}

async function connectionOf(
  { db, seal }: InboundParts,
  owner: FileOwner,
  given: BankConnection | undefined,
): Promise<BankConnection> {
  const rows = await listConnections(db);
  const connections = rows.flatMap((row) => toConnection(row, seal) ?? []);
  const called = connectionsCalled(connections, owner);
  if (!given) {
    const found = await findOwner(db, connections, owner);
    if (!found) throw new Refusal("BANK406");
    return found;
  }
  const [other] = called;
  if (!other || called.some(({ id }) => id === given.id)) return given;
  throw new Refusal("BANK404", {
    message: `The file is about an account of ${other.row.name}, not of ${given.row.name}`,
  });
}

type FileWork = {
  text: string;
  format: InboundFormat;
  file: { id: string; sha256: string; format: string; bytes: Uint8Array };
  connection: BankConnection;
  request: InboundRequest;
};

async function applyFile(
  { tx, seal }: { tx: Tx; seal: Seal },
  { text, format, file, connection, request }: FileWork,
): Promise<InboundFileRow> {
  const { name, who, atMs } = request;
  // Files of one connection come one after another: a report that two of them have is applied once.
  await lockConnection(tx, connection.id);
  await avoidScans(tx);
  await insertInboundFile(tx, {
    id: file.id,
    connection_id: connection.id,
    sha256: file.sha256,
    name,
    format: file.format,
    bytes: file.bytes.length,
    received_at_ms: atMs,
    received_by: who,
  });
  await storeBytes({ tx, seal }, file);
  const run: InboundRun = {
    tx,
    seal,
    connection,
    fileId: file.id,
    fileKind: fileKindOf(file.format),
    who,
    atMs,
    counts: { lines: 0, applied: 0, noted: 0, suspended: 0, repeated: 0 },
    items: new Map(),
    batches: { last: new Map(), rejectedIn: new Set() },
    returned: new Set(),
    written: Promise.resolve(),
  };
  let page: InboundLine[] = [];
  for (const line of format.read(text, dayOf(atMs))) {
    page.push(line);
    if (page.length < limits.bankPageMax) continue;
    await applyPage(run, page);
    page = [];
  }
  if (page.length > 0) await applyPage(run, page);
  await run.written;
  await applyBatchReports(run);
  await postInboundTransfers(run);
  return setInboundCounts(tx, file.id, run.counts);
}

export const inboundChunkIdentity = (fileId: string, number: number) =>
  `bank_inbound_chunk:${fileId}:${number}`;

async function storeBytes(
  { tx, seal }: { tx: Tx; seal: Seal },
  { id, bytes }: FileWork["file"],
): Promise<void> {
  const size = limits.bankFileChunkChars;
  for (let number = 0; number * size < bytes.length; number += 1) {
    // Latin-1 gives every byte one character, so that the same bytes come back.
    const part = Buffer.from(bytes.subarray(number * size, (number + 1) * size));
    const sealed = seal.encrypt(part.toString("latin1"), inboundChunkIdentity(id, number));
    await insertInboundChunk(tx, { fileId: id, number, sealed });
  }
}

export const inboundCodes = [
  "BANK401",
  "BANK402",
  "BANK403",
  "BANK404",
  "BANK405",
  "BANK406",
] as const satisfies Code[];
