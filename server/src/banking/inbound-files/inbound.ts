// Applies a file from a bank: returns, rejections, acknowledgements. Whole or not at all, and each report once.

import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { wallClockAt } from "../../../../packages/bank-formats/src/calendars/index.ts";
import type { FileProblem } from "../../../../packages/bank-formats/src/index.ts";
import { newId } from "../../platform/base/index.ts";
import { type Db, isCollision, type Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { type Problem, Refusal } from "../../platform/refusals/index.ts";
import {
  applyBatchReports,
  applyPage,
  avoidScans,
  connectionsCalled,
  findInboundFile,
  findOwner,
  type InboundFileRow,
  type InboundRun,
  type InboundSum,
  insertInboundChunk,
  insertInboundFile,
  isAppliedBefore,
  newInboundSums,
  postInboundTransfers,
  setInboundCounts,
} from "../answers/index.ts";
import {
  type BankConnection,
  csvMappingFor,
  listConnections,
  lockConnection,
  toConnection,
} from "../connections/index.ts";
import {
  type FileInThread,
  type FileOwner,
  type InboundLine,
  openInThread,
  partsOf,
} from "../readers/index.ts";
import {
  applyStatementFile,
  connectionsIn,
  connectionsToLock,
  ownersOf,
} from "../statements/index.ts";
import { openSigned, requireSigned } from "./inbound-signature.ts";

export type InboundParts = { db: Db; seal: Seal };

export type InboundRequest = {
  /** The file's name, for people. */
  name: string;
  /** Where absent, the file says whose it is. */
  connection?: BankConnection | undefined;
  who: string;
  /** The service fetched it from the bank's server, by its pinned host key: the bank made it, and no user. */
  isFetched?: boolean;
  /** The second user, where the file needed one. */
  confirmedBy?: string;
  atMs: number;
  /** Runs at the end of the transaction. If it throws, nothing has changed. */
  atEnd?: (tx: Tx, applied: AppliedInbound) => Promise<void>;
};

/** What a file does, before it is committed. */
export type AppliedInbound = {
  file: InboundFileRow;
  connections: readonly BankConnection[];
  sums: readonly InboundSum[];
};

/** `isNew`: false where the same file was applied before, and nothing has changed. */
export type InboundResult = { file: InboundFileRow; isNew: boolean };

export async function applyInbound(
  parts: InboundParts,
  given: Uint8Array,
  request: InboundRequest,
): Promise<InboundResult> {
  if (given.length > limits.bankInboundBytesMax) throw new Refusal("BANK405");
  const { bytes, signedFor } = await openSigned(given, request.connection);
  const sha256 = await hashOf(bytes);
  const before = await findInboundFile(parts.db, sha256);
  if (before) return { file: before, isNew: false };
  return openInThread(bytes, async (inThread) => {
    const content = await contentOf(parts, inThread, request);
    for (const connection of content.connections) requireSigned(connection, signedFor);
    const file = { id: newId(), sha256, format: content.format, bytes };
    return applyContent(parts, { content, file, request });
  });
}

async function hashOf(bytes: Uint8Array): Promise<string> {
  const hash = createHash("sha256");
  for (const [, part] of partsOf(bytes)) {
    hash.update(part);
    await nextTurn();
  }
  return hash.digest("hex");
}

async function applyContent({ db, seal }: InboundParts, work: FileWork): Promise<InboundResult> {
  const attempt = () => db.transaction((tx) => applyFile({ tx, seal }, work));
  for (let triesLeft = limits.collisionTriesMax - 1; ; triesLeft -= 1) {
    try {
      return { file: await attempt(), isNew: true };
    } catch (error) {
      // Another process applied it meanwhile.
      const applied = isAppliedBefore(error) && (await findInboundFile(db, work.file.sha256));
      if (applied) return { file: applied, isNew: false };
      if (!isCollision(error) || triesLeft === 0) throw error;
    }
  }
}

/** A file that was read to its end: its totals and control sums come last. */
type FileContent = {
  format: string;
  /** Whose it is; the first of them where it has statements of several. */
  connections: BankConnection[];
  /** In the order in which they are locked. */
  toLock: BankConnection[];
  apply(runOf: RunOf): Promise<InboundRun[]>;
};

type RunOf = (connection: BankConnection) => InboundRun;

async function contentOf(
  { db, seal }: InboundParts,
  file: FileInThread,
  { connection: given, atMs }: InboundRequest,
): Promise<FileContent> {
  let opened = await file.open(dayOf(atMs));
  if (opened.kind === "unknown") {
    opened = await file.openCsv(await csvMappingFor(db, opened, given));
  }
  if (opened.kind === "binary" || opened.kind === "unknown") throw new Refusal("BANK402");
  const rows = await listConnections(db);
  const connections = rows.flatMap((row) => toConnection(row, seal) ?? []);
  const { format, problems } = opened;
  if (problems.length > 0) throw new Refusal(problemsOf(problems));
  if (opened.kind === "reports") {
    const { isEmpty, owner, source } = opened;
    if (isEmpty) throw new Refusal("BANK403");
    const connection = given
      ? requireCalled(connections, owner, given)
      : await findOwner(db, connections, owner);
    if (!connection) throw new Refusal("BANK406");
    const apply = async (runOf: RunOf) => {
      const run = runOf(connection);
      run.source = source;
      return [await applyReports(run, file.records())];
    };
    return { format, connections: [connection], toLock: [connection], apply };
  }
  const { ends } = opened;
  if (ends.length === 0) throw new Refusal("BANK403");
  const owners = ownersOf(ends, connections, given);
  const whose = { owners, connections };
  return {
    format,
    connections: connectionsIn(owners),
    toLock: connectionsToLock(whose),
    apply: (runOf) =>
      applyStatementFile({ format, ends, records: () => file.records() }, whose, runOf),
  };
}

async function applyReports(
  run: InboundRun,
  lines: AsyncIterable<InboundLine>,
): Promise<InboundRun> {
  let page: InboundLine[] = [];
  for await (const line of lines) {
    page.push(line);
    if (page.length < limits.bankPageMax) continue;
    await applyPage(run, page);
    page = [];
  }
  await applyPage(run, page);
  return run;
}

const dayOf = (atMs: number) => wallClockAt(atMs, "UTC").date;

function problemsOf(problems: readonly FileProblem[]): [Problem, ...Problem[]] {
  const [first, ...rest] = problems.map(toProblem);
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
  const { name, who, isFetched = false, confirmedBy = "", atMs } = request;
  // Files of one connection come one after another: a report that two of them have is applied once.
  for (const { id } of content.toLock) await lockConnection(tx, id);
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
    confirmed_by: confirmedBy,
  });
  await storeBytes({ tx, seal }, file);
  const counts = { lines: 0, applied: 0, noted: 0, suspended: 0, repeated: 0 };
  const sums = newInboundSums();
  const runs = await content.apply((connection) => ({
    tx,
    seal,
    connection,
    fileId: file.id,
    source: "returns",
    who,
    isFetched,
    confirmedBy,
    atMs,
    counts,
    sums,
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
  const applied = await setInboundCounts(tx, file.id, counts);
  const { connections } = content;
  await request.atEnd?.(tx, { file: applied, connections, sums: sums.list() });
  return applied;
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
