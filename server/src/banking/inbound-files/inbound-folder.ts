// Polls the folder on a bank's SFTP server for files from the bank, and applies each once it does not change any more.
// Nothing on the server is changed. One process polls a folder at a time; where two do after all, a file is applied once.

import { randomUUID } from "node:crypto";
import type { Db } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { BankPollOutcome } from "../../platform/metrics/index.ts";
import { type Code, problem, Refusal } from "../../platform/refusals/index.ts";
import type { BankConnection } from "../connections/index.ts";
import type { SendParts } from "../files/index.ts";
import { newSharedBytes } from "../readers/index.ts";
import { openSftp, type SftpFile, SftpProblem, type SftpSession } from "../sftp/index.ts";
import type { SftpSettings } from "../sftp-settings/index.ts";
import { applyInbound } from "./inbound.ts";
import { fileNameTest } from "./inbound-folder-names.ts";
import {
  claimDuePoll,
  claimPollNow,
  type FolderFileResult,
  type FolderFileRow,
  type FolderKey,
  findFolderFiles,
  forgetFilesExcept,
  noteChangedFiles,
  recordFolderFile,
  releasePoll,
  renewPoll,
} from "./inbound-folder-queries.ts";

export type FolderParts = SendParts & {
  /** Where files are applied: with audit entries, if a user polls. */
  applyingDb: Db;
};

/** `waiting`: files that may still change. They are read at a later poll. */
export type FolderPoll = {
  outcome: BankPollOutcome;
  problem: string;
  waiting: number;
  /** What failed, for the log. */
  err?: unknown;
};

/** This process ends, or another one polls the folder now. */
class PollOver extends Error {}

/** Polls the folder of a connection if its time has come. */
export async function pollFolderDue(parts: FolderParts, connection: BankConnection): Promise<void> {
  const inbound = inboundOf(connection);
  if (!inbound) return;
  const claim = newClaim(parts.clock());
  if (!(await claimDuePoll(parts.db, connection.id, claim))) return;
  const who = `rail:${connection.rail}`;
  await pollClaimed(parts, { ...inbound, connection, who, token: claim.token, isByUser: false });
}

/** Polls the folder now, for a user. Refused files are tried again, also if they have not changed. */
export async function pollFolderNow(
  parts: FolderParts,
  connection: BankConnection,
  who: string,
): Promise<FolderPoll> {
  const inbound = inboundOf(connection);
  if (!inbound) throw new Refusal("BANK454");
  const claim = newClaim(parts.clock());
  if (!(await claimPollNow(parts.db, connection.id, claim))) throw new Refusal("BANK453");
  const polling = { ...inbound, connection, who, token: claim.token, isByUser: true };
  const poll = await pollClaimed(parts, polling);
  if (!poll) throw new Refusal("BANK453");
  return poll;
}

/** Undefined: it has no folder for files from the bank. */
function inboundOf({ id, sftp }: BankConnection) {
  if (sftp?.inbound_folder === undefined) return undefined;
  const { user, host, port, inbound_folder } = sftp;
  const path = inbound_folder.replace(/(?<=.)\/+$/, "");
  const folder = `sftp://${user}@${host}:${port}/${path}`;
  return { sftp, path, key: { connectionId: id, folder } };
}

function newClaim(nowMs: number) {
  return { token: randomUUID(), nowMs, untilMs: nowMs + limits.bankFolderLeaseMs };
}

type Polling = {
  connection: BankConnection;
  sftp: SftpSettings;
  /** Of the folder on the server. */
  path: string;
  key: FolderKey;
  who: string;
  token: string;
  isByUser: boolean;
};

/** Undefined: another process has taken over, or this one ends. */
async function pollClaimed(parts: FolderParts, polling: Polling): Promise<FolderPoll | undefined> {
  const { connection, token } = polling;
  const { db, clock, log, metrics } = parts;
  const poll = await pollFolder(parts, polling).catch((error: unknown) => failureOf(error));
  // The lease ends by itself, and then another process polls the folder.
  if (!poll) return undefined;
  const { outcome, problem: reason, waiting, err } = poll;
  if (reason !== "") {
    const context = { connection: connection.id, outcome, ...(err !== undefined && { err }) };
    log.warn(context, `banks: polling a folder: ${reason}`);
  }
  metrics?.bankPoll(outcome);
  const nowMs = clock();
  await releasePoll(db, connection.id, {
    token,
    afterMs: nowMs + (waiting > 0 ? limits.bankFolderSettleMs : limits.bankFolderPollMs),
    goodAtMs: reason === "" ? nowMs : undefined,
    problem: reason,
  });
  return poll;
}

function failureOf(error: unknown): FolderPoll | undefined {
  if (error instanceof PollOver) return undefined;
  if (error instanceof SftpProblem) {
    return { outcome: error.failure, problem: error.message, waiting: 0 };
  }
  return { outcome: "failed", problem: "It failed: the log has the error", waiting: 0, err: error };
}

async function pollFolder(parts: FolderParts, polling: Polling): Promise<FolderPoll> {
  const { db, addresses, callMs, clock } = parts;
  const { sftp, key } = polling;
  const session = await openSftp(sftp, { addresses, ...(callMs && { callMs }) });
  try {
    const { files, isWhole } = await filesIn(session, polling);
    const known = await findFolderFiles(db, key);
    const nowMs = clock();
    const changed = files.filter((file) => !isSame(file, known.get(file.name)));
    await noteChangedFiles(db, key, { files: changed, atMs: nowMs });
    if (isWhole) {
      const names = files.map(({ name }) => name);
      await forgetFilesExcept(db, key, names);
    }
    let waiting = changed.length;
    for (const file of files) {
      const row = known.get(file.name);
      if (!row || !isSame(file, row) || !isToRead(row, polling)) continue;
      if (nowMs - Number(row.since_ms) < limits.bankFolderSettleMs) waiting += 1;
      else await takeFile(parts, polling, { session, file });
    }
    if (isWhole) return { outcome: "polled", problem: "", waiting };
    const reason = `The folder has more than ${limits.bankFolderFilesMax} files: the others are not read`;
    return { outcome: "too_many_files", problem: reason, waiting };
  } finally {
    session.close();
  }
}

/** Oldest first: a bank's later file may correct an earlier one. Empty files are left until they hold something. */
async function filesIn(
  session: SftpSession,
  { sftp, path }: Polling,
): Promise<{ files: SftpFile[]; isWhole: boolean }> {
  const isWanted = fileNameTest(sftp.inbound_files);
  const byName = new Map<string, SftpFile>();
  let isWhole = true;
  for await (const file of session.list(path)) {
    if (file.size === 0 || !isWanted(file.name)) continue;
    isWhole = byName.size < limits.bankFolderFilesMax;
    if (!isWhole) break;
    byName.set(file.name, file);
  }
  const files = [...byName.values()].sort(
    (one, other) => one.modifiedAtS - other.modifiedAtS || (one.name < other.name ? -1 : 1),
  );
  return { files, isWhole };
}

function isSame({ size, modifiedAtS }: SftpFile, row: FolderFileRow | undefined): boolean {
  return (
    row !== undefined && Number(row.size) === size && Number(row.modified_at_s) === modifiedAtS
  );
}

/** Refused for what it holds, a file stays refused until it changes. Refused for another cause, it is tried again. */
function isToRead({ status, code }: FolderFileRow, { isByUser }: Polling): boolean {
  if (status === "waiting") return true;
  return status === "refused" && (isByUser || passingCodes.has(code));
}

const passingCodes: ReadonlySet<string> = new Set(["BANK407", "SYST500"] satisfies Code[]);

/** Reads and applies one file, and records what became of it. One that is refused stops none of the others. */
async function takeFile(
  parts: FolderParts,
  polling: Polling,
  { session, file }: { session: SftpSession; file: SftpFile },
): Promise<void> {
  const { db, applyingDb, seal, clock, log } = parts;
  const { connection, key, who } = polling;
  const context = { connection: connection.id, file: file.name };
  let result: FolderFileResult;
  try {
    const bytes = await fetchFile(parts, polling, { session, file });
    const request = { name: file.name, connection, who, isFetched: true, atMs: clock() };
    const applied = await applyInbound({ db: applyingDb, seal }, bytes, request);
    log.info({ ...context, inboundFile: applied.file.id }, "banks: file from the bank is applied");
    result = { status: "applied", fileId: applied.file.id };
  } catch (error) {
    result = resultOf(error);
    if (result.status === "refused") {
      const isOurs = result.code === "SYST500";
      log.warn(
        { ...context, code: result.code, ...(isOurs && { err: error }) },
        "banks: file from the bank was refused",
      );
    }
  }
  await recordFolderFile(db, { ...key, name: file.name }, result, clock());
}

function resultOf(error: unknown): FolderFileResult {
  if (error instanceof PollOver) throw error;
  if (error instanceof SftpProblem) {
    // Of the file, and not of the connection.
    if (error.failure !== "refused") throw error;
    return { status: "refused", code: "BANK407", message: error.message };
  }
  if (!(error instanceof Refusal)) {
    const { code, message } = problem("SYST500");
    return { status: "refused", code, message: `${message}: the log has the error` };
  }
  const [{ code }] = error.problems;
  const message = error.problems
    .map((one) => one.message)
    .join("; ")
    .slice(0, limits.bankTextMax);
  // A statement without returns is usual.
  return { status: code === "BANK403" ? "no_reports" : "refused", code, message };
}

async function fetchFile(
  { db, clock, isStopping }: FolderParts,
  { connection, path, token }: Polling,
  { session, file }: { session: SftpSession; file: SftpFile },
): Promise<Buffer> {
  if (file.size > limits.bankInboundBytesMax) throw new Refusal("BANK405");
  // Renewed with the first part: applying the file before may have taken long.
  let untilMs = 0;
  const whole = newSharedBytes(file.size);
  let bytes = 0;
  for await (const part of session.read(`${path}/${file.name}`)) {
    if (isStopping?.()) throw new PollOver();
    if (untilMs - clock() < limits.bankFolderRenewMs) {
      untilMs = clock() + limits.bankFolderLeaseMs;
      if (!(await renewPoll(db, connection.id, { token, untilMs }))) throw new PollOver();
    }
    whole.set(part.subarray(0, file.size - bytes), bytes);
    bytes += part.length;
    if (bytes > file.size) break;
  }
  if (bytes === file.size) return whole;
  const given = bytes > file.size ? "more" : bytes;
  throw new SftpProblem("refused", `it lists ${file.size} bytes of ${file.name} and gave ${given}`);
}
