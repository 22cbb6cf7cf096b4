// Looks at the folder of sanctions lists and imports changed files. Reports the age and size of each list.

import { type Clock, systemClock } from "../../platform/base/index.ts";
import { type Db, type Poller, startPoller } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import type { ListState, Metrics } from "../../platform/metrics/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type Actor, audited } from "../../tenants/audit/index.ts";
import {
  type FileListName,
  fileListNames,
  hashOfFiles,
  listLimits,
  readerVersion,
  readInThread,
} from "../list-files/index.ts";
import { ageMsOf } from "./age.ts";
import { listFolderActor } from "./decide.ts";
import { findListFiles, readFolderFiles, signatureOf } from "./folder.ts";
import { type ImportOutcome, importNote, importVersion } from "./import.ts";
import {
  findVersionOfHash,
  listVersions,
  type VersionRow,
  versionStatuses,
} from "./version-queries.ts";

export type ListWorkerParts = {
  db: Db;
  seal: Seal;
  log: {
    info(context: object, message: string): void;
    warn(context: object, message: string): void;
  };
  /** Undefined: lists are imported by command only. */
  folder: string | undefined;
  metrics?: Metrics | undefined;
  clock?: Clock;
};

const actor: Actor = { kind: "service", who: listFolderActor, ip: "", requestId: "" };

export function startListWorker(parts: ListWorkerParts): Poller {
  const { db, log, metrics, clock = systemClock } = parts;
  const folder = folderState();
  metrics?.collectLists(async () => {
    const rows = await listVersions(db, ["active", "waiting"], 100);
    return listStates(rows, folder.refused, clock());
  });
  return startPoller({
    everyMs: listLimits.folderPollMs,
    onError: (error) => log.warn({ err: error }, "sanctions lists: will look again"),
    poll: () => pollListFolder(parts, folder),
  });
}

export type FolderState = {
  /** The files of each list that were handled, and need not be read again. */
  handled: Map<FileListName, string>;
  refused: Set<FileListName>;
};

export function folderState(): FolderState {
  return { handled: new Map(), refused: new Set() };
}

/** One list that can't be read stops none of the others. */
export async function pollListFolder(parts: ListWorkerParts, state: FolderState): Promise<void> {
  if (parts.folder === undefined) return;
  for (const list of fileListNames) {
    try {
      await pollList(parts, parts.folder, state, list);
    } catch (error) {
      const context = error instanceof Refusal ? refusalFacts(error) : { err: error };
      if (error instanceof Refusal) state.refused.add(list);
      else state.handled.delete(list);
      parts.log.warn({ list, ...context }, "sanctions list: not imported");
    }
  }
}

/** Places and codes only. */
function refusalFacts({ problems }: Refusal) {
  return { problems: problems.map(({ code, message }) => `${code} ${message}`) };
}

async function pollList(
  { db, seal, log, clock = systemClock }: ListWorkerParts,
  folder: string,
  { handled, refused }: FolderState,
  list: FileListName,
): Promise<void> {
  const found = await findListFiles(folder, list);
  const signature = signatureOf(found);
  if (found.length === 0 || handled.get(list) === signature) return;
  // A file that is still being written is read at the next look.
  const changedMs = Math.max(...found.map((file) => file.changedMs));
  if (clock() - changedMs < listLimits.folderSettleMs) return;
  handled.set(list, signature);
  const files = await readFolderFiles(found);
  const version = { list, hash: hashOfFiles(files), reader: readerVersion };
  // Also one that was declined or replaced: the folder never brings it back.
  if (!(await findVersionOfHash(db, version, versionStatuses))) {
    const given = await readInThread(list, files);
    const result = await audited({ db, seal }, actor).transaction<ImportOutcome>(importNote, (tx) =>
      importVersion(tx, given, { who: actor.who, atMs: clock() }),
    );
    const { entries, added, changed, removed } = result.version;
    const facts = { list, version: result.version.id, entries, added, changed, removed };
    log.info({ ...facts, outcome: result.outcome }, "sanctions list: imported");
  }
  refused.delete(list);
}

/** The figures of the metrics. */
export function listStates(
  rows: readonly VersionRow[],
  refused: ReadonlySet<FileListName>,
  nowMs: number,
): ListState[] {
  return rows
    .filter(({ status }) => status === "active")
    .map((row) => {
      const { list, entries } = row;
      const isWaiting = rows.some((one) => one.list === list && one.status === "waiting");
      return {
        list,
        entries,
        ageSeconds: ageMsOf(row, nowMs) / 1000,
        waiting: isWaiting ? 1 : 0,
        refused: refused.has(list as FileListName) ? 1 : 0,
      };
    });
}
