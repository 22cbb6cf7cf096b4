// Imports a version of a list: one transaction in which it becomes active, or waits for a second user.

import { newId } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { AuditNote } from "../../tenants/audit/index.ts";
import { type HashedEntry, type ListName, listLimits, type NewList } from "../list-files/index.ts";
import { type Changes, changesOf, startEntries } from "./activate.ts";
import {
  deleteWaitingEntries,
  findEntryHashes,
  findVersionOfHash,
  insertVersion,
  insertWaitingEntries,
  listVersions,
  lockLists,
  replaceVersion,
  type VersionRow,
} from "./version-queries.ts";

export type ImportOutcome = {
  /** `unchanged`: the same files are active, or wait already. */
  outcome: "active" | "waiting" | "unchanged";
  /** Why it waits. */
  reason:
    | ""
    | ("fewer entries" | "fewer names" | "many entries are removed")
    | ("older than the active version" | "countries are removed")
    | "a user imports other entries";
  version: VersionRow;
};

type Importing = {
  who: string;
  atMs: number;
  /** Entries that were written so far. */
  onProgress?: ((written: number) => void) | undefined;
};

export async function importVersion(
  tx: Tx,
  given: NewList,
  importing: Importing,
): Promise<ImportOutcome> {
  await lockLists(tx);
  const known = await findVersionOfHash(tx, given, ["active", "waiting"]);
  if (known) return { outcome: "unchanged", reason: "", version: known };
  const changes = changesOf(await findEntryHashes(tx, given.list), given.entries);
  const active = (await listVersions(tx, ["active"], 100)).find(({ list }) => list === given.list);
  const row = { ...rowOf(given, changes), made_by: importing.who };
  const reason = reasonToWait(row, active);
  await replaceWaiting(tx, given.list);
  return reason === ""
    ? { outcome: "active", reason, version: await makeActive(tx, given, changes, importing) }
    : { outcome: "waiting", reason, version: await makeWaiting(tx, given, changes, importing) };
}

type Counted = Pick<VersionRow, "list" | "published_day" | "entries" | "names" | "removed">;
type Counting = Counted & Pick<VersionRow, "made_by" | "changed">;

/**
 * A list with far fewer entries or names may be a download that was cut, or an attack. The files of another list have as
 * many entries, and none of those in force. A user of the console could leave out the one person whom they want to pay, so
 * alone they only add entries.
 */
export function reasonToWait(
  { list, published_day, entries, names, removed, changed, made_by }: Counting,
  active: Counted | undefined,
): ImportOutcome["reason"] {
  if (!active) return "";
  if (list === "embargo") return removed > 0 ? "countries are removed" : "";
  const share = listLimits.entriesShareMin;
  if (entries < active.entries * share) return "fewer entries";
  if (active.entries - removed < active.entries * share) return "many entries are removed";
  if (names < active.names * share) return "fewer names";
  const isOlder = published_day !== "" && published_day < active.published_day;
  if (isOlder) return "older than the active version";
  const isOther = removed + changed > 0;
  return isOther && made_by.startsWith("operator:") ? "a user imports other entries" : "";
}

/** A newer version replaces one that waits. */
async function replaceWaiting(tx: Tx, list: ListName): Promise<void> {
  const waitingId = await replaceVersion(tx, list, "waiting");
  if (waitingId) await deleteWaitingEntries(tx, waitingId);
}

async function makeActive(
  tx: Tx,
  given: NewList,
  changes: Changes,
  { who, atMs, onProgress }: Importing,
): Promise<VersionRow> {
  const id = newId();
  await replaceVersion(tx, given.list, "active");
  const setId = await startEntries(tx, { list: given.list, id }, changes, { atMs, onProgress });
  const decision = {
    status: "active" as const,
    decided_by: who,
    decided_at_ms: atMs,
    set_id: setId,
  };
  return insertVersion(tx, {
    ...rowOf(given, changes),
    ...decision,
    id,
    made_by: who,
    at_ms: atMs,
  });
}

async function makeWaiting(
  tx: Tx,
  given: NewList,
  changes: Changes,
  { who, atMs, onProgress }: Importing,
): Promise<VersionRow> {
  const open = { status: "waiting" as const, decided_by: "", decided_at_ms: null, set_id: null };
  const row = { ...rowOf(given, changes), ...open, id: newId(), made_by: who, at_ms: atMs };
  const version = await insertVersion(tx, row);
  const { entries } = given;
  for (let start = 0; start < entries.length; start += listLimits.entriesPage) {
    const page = entries.slice(start, start + listLimits.entriesPage);
    await insertWaitingEntries(tx, version.id, page);
    onProgress?.(start + page.length);
  }
  return version;
}

function namesOf(entries: readonly HashedEntry[]): number {
  return entries.reduce((sum, { entry }) => sum + entry.names.length, 0);
}

function rowOf({ list, hash, reader, publishedDay, entries }: NewList, changes: Changes) {
  return {
    list,
    hash,
    reader,
    published_day: publishedDay,
    entries: entries.length,
    names: namesOf(entries),
    added: changes.added.length,
    changed: changes.changed.length,
    removed: changes.removed.length,
  };
}

/** The entry of the audit log. An import that changes nothing has none. */
export function importNote({ outcome, version }: ImportOutcome): AuditNote | undefined {
  if (outcome === "unchanged") return undefined;
  return {
    action: "screening.import",
    object: { kind: "screening_list_version", id: version.id },
    after: versionFacts(version),
  };
}

export function versionFacts(version: VersionRow) {
  const { list, hash, published_day, entries, names, added, changed, removed, status } = version;
  return { list, hash, published_day, entries, names, added, changed, removed, status };
}
