// Applies a file from a bank: returns, rejections, acknowledgements. Whole or not at all, and each report once.

import { createHash } from "node:crypto";
import { decodeBankFile } from "../bank-formats/check.ts";
import { type FileProblem, type FileReport, isValid } from "../bank-formats/report.ts";
import { recognisesStatement } from "../bank-formats/statement.ts";
import { wallClockAt } from "../calendars/wall-clock.ts";
import { type Db, isCollision, type Tx } from "../db/connect.ts";
import { newId } from "../ids.ts";
import { limits } from "../limits.ts";
import { type Code, type Problem, Refusal } from "../refusals/refusals.ts";
import type { Seal } from "../seal.ts";
import { type BankConnection, toConnection } from "./connection.ts";
import { listConnections, lockConnection } from "./connection-queries.ts";
import { csvOptions } from "./csv-mapping.ts";
import { applyBatchReports } from "./inbound-batch.ts";
import { connectionsCalled, type FileOwner, findOwner, noteOwner } from "./inbound-connection.ts";
import { findInboundFormat, type InboundFormat } from "./inbound-formats.ts";
import type { InboundLine } from "./inbound-line.ts";
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
import {
  applyStatementFile,
  connectionsIn,
  ownersOf,
  readStatementFile,
} from "./statements/statement-file.ts";

export type InboundParts = { db: Db; seal: Seal };

export type InboundRequest = {
  /** The file's name, for people. */
  name: string;
  /** Where absent, the file says whose it is. */
  connection?: BankConnection | undefined;
  who: string;
  /** The service fetched it from the bank's server, by its pinned host key: the bank made it, and no user. */
  isFetched?: boolean;
  atMs: number;
};

/** `isNew`: false where the same file was applied before, and nothing has changed. */
export type InboundResult = { file: InboundFileRow; isNew: boolean };

export async function applyInbound(
  parts: InboundParts,
  bytes: Uint8Array,
  request: InboundRequest,
): Promise<InboundResult> {
  const { db, seal } = parts;
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const before = await findInboundFile(db, sha256);
  if (before) return { file: before, isNew: false };
  const content = await contentOf(parts, bytes, request);
  const file = { id: newId(), sha256, format: content.format, bytes };
  const attempt = () => db.transaction((tx) => applyFile({ tx, seal }, { content, file, request }));
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

/** A file that was read to its end: its totals and control sums come last. */
type FileContent = {
  format: string;
  /** Whose it is; the first of them where it has statements of several. In the order in which they are locked. */
  connections: BankConnection[];
  apply(runOf: (connection: BankConnection) => InboundRun): Promise<InboundRun[]>;
};

async function contentOf(
  parts: InboundParts,
  bytes: Uint8Array,
  { connection: given, atMs }: InboundRequest,
): Promise<FileContent> {
  if (bytes.length > limits.bankInboundBytesMax) throw new Refusal("BANK405");
  const text = decodeBankFile(bytes);
  if (text === undefined) throw new Refusal("BANK402");
  const rows = await listConnections(parts.db);
  const connections = rows.flatMap((row) => toConnection(row, parts.seal) ?? []);
  const format = findInboundFormat(text);
  if (format) return reportsOf(parts, { text, format, atMs, connections, given });
  const options = recognisesStatement(text) ? {} : await csvOptions(parts.db, text, given);
  const file = { text, options };
  const statements = readStatementFile(file);
  const { report, ends } = statements;
  requireValid(report, ends.length);
  const owners = ownersOf(ends, connections, given);
  return {
    format: report.format,
    connections: connectionsIn(owners),
    apply: (runOf) => applyStatementFile(statements, owners, runOf),
  };
}

function requireValid(report: FileReport, count: number): void {
  if (!isValid(report)) throw new Refusal(problemsOf(report.problems));
  if (count === 0) throw new Refusal("BANK403");
}

type ReportFile = {
  text: string;
  format: InboundFormat;
  atMs: number;
  connections: BankConnection[];
  given: BankConnection | undefined;
};

async function reportsOf({ db }: InboundParts, file: ReportFile): Promise<FileContent> {
  const { text, format, atMs, connections, given } = file;
  const { report, owner } = readThrough(text, format, atMs);
  const connection = given
    ? requireCalled(connections, owner, given)
    : await findOwner(db, connections, owner);
  if (!connection) throw new Refusal("BANK406");
  return {
    format: report.format,
    connections: [connection],
    async apply(runOf) {
      const run = runOf(connection);
      run.source = format.source;
      let page: InboundLine[] = [];
      for (const line of format.read(text, dayOf(atMs))) {
        page.push(line);
        if (page.length < limits.bankPageMax) continue;
        await applyPage(run, page);
        page = [];
      }
      await applyPage(run, page);
      return [run];
    },
  };
}

function readThrough(
  text: string,
  format: InboundFormat,
  atMs: number,
): { report: FileReport; owner: FileOwner } {
  const owner: FileOwner = { ours: new Set(), batchId: "", payoutId: "" };
  const lines = format.read(text, dayOf(atMs));
  for (let count = 0; ; count += 1) {
    const { done, value } = lines.next();
    if (done) {
      requireValid(value, count);
      return { report: value, owner };
    }
    noteOwner(owner, value);
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

function requireCalled(
  connections: readonly BankConnection[],
  owner: FileOwner,
  given: BankConnection,
): BankConnection {
  const called = connectionsCalled(connections, owner);
  const [other] = called;
  if (!other || called.some(({ id }) => id === given.id)) return given;
  throw new Refusal("BANK404", {
    message: `The file is about an account of ${other.row.name}, not of ${given.row.name}`,
  });
}

type FileWork = {
  content: FileContent;
  file: { id: string; sha256: string; format: string; bytes: Uint8Array };
  request: InboundRequest;
};

async function applyFile(
  { tx, seal }: { tx: Tx; seal: Seal },
  { content, file, request }: FileWork,
): Promise<InboundFileRow> {
  const { name, who, isFetched = false, atMs } = request;
  // Files of one connection come one after another: a report that two of them have is applied once.
  for (const { id } of content.connections) await lockConnection(tx, id);
  await avoidScans(tx);
  const [first] = content.connections as [BankConnection];
  await insertInboundFile(tx, {
    id: file.id,
    connection_id: (request.connection ?? first).id,
    sha256: file.sha256,
    name,
    format: file.format,
    bytes: file.bytes.length,
    received_at_ms: atMs,
    received_by: who,
  });
  await storeBytes({ tx, seal }, file);
  const counts = { lines: 0, applied: 0, noted: 0, suspended: 0, repeated: 0 };
  const runs = await content.apply((connection) => ({
    tx,
    seal,
    connection,
    fileId: file.id,
    source: "returns",
    who,
    isFetched,
    atMs,
    counts,
    items: new Map(),
    batches: { last: new Map(), rejectedIn: new Set() },
    returned: new Set(),
    written: Promise.resolve(),
  }));
  for (const run of runs) {
    await run.written;
    await applyBatchReports(run);
  }
  await postInboundTransfers({ tx, fileId: file.id, who, atMs });
  return setInboundCounts(tx, file.id, counts);
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
  "BANK461",
] as const satisfies Code[];
