// Approves or declines a version that waits. Approval needs another user than the one who imported it. A version from the
// folder was imported by no user: a user who can write there could approve it alone, so it takes two.

import type { Tx } from "../../platform/db/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import type { AuditNote } from "../../tenants/audit/index.ts";
import { requireOtherUser } from "../../tenants/four-eyes/index.ts";
import { type HashedEntry, listLimits } from "../list-files/index.ts";
import { changesOf, startEntries } from "./activate.ts";
import { versionFacts } from "./import.ts";
import {
  decideVersion,
  deleteWaitingEntries,
  findEntryHashes,
  findVersion,
  findWaitingEntries,
  lockLists,
  markFirstApproved,
  replaceVersion,
  type VersionRow,
} from "./version-queries.ts";

type Deciding = {
  who: string;
  atMs: number;
  onProgress?: ((written: number) => void) | undefined;
};

/** Imports the files of the folder. */
export const listFolderActor = "service";

/** The version waits on where a second user has to approve it. */
export async function approveVersion(tx: Tx, id: string, deciding: Deciding): Promise<VersionRow> {
  const { who, atMs, onProgress } = deciding;
  const version = await waitingVersion(tx, id);
  const { made_by, first_approved_by } = version;
  await requireOtherUser(tx, [made_by, first_approved_by], { who });
  const isFirst = made_by === listFolderActor && first_approved_by === "";
  if (isFirst) return (await markFirstApproved(tx, id, { who, atMs })) as VersionRow;
  const entries = await waitingEntries(tx, id);
  const changes = changesOf(await findEntryHashes(tx, version.list), entries);
  await replaceVersion(tx, version.list, "active");
  const setId = await startEntries(tx, version, changes, { atMs, onProgress });
  return close(tx, id, {
    status: "active",
    decided_by: who,
    decided_at_ms: atMs,
    added: changes.added.length,
    changed: changes.changed.length,
    removed: changes.removed.length,
    set_id: setId,
  });
}

/** Every user may decline, also the one who imported it: nothing changes. */
export function declineVersion(tx: Tx, id: string, deciding: Deciding): Promise<VersionRow> {
  return endVersion(tx, id, "declined", deciding);
}

/** No second user has decided in time. The folder does not bring it back: import it again. */
export function expireVersion(tx: Tx, id: string, deciding: Deciding): Promise<VersionRow> {
  return endVersion(tx, id, "expired", deciding);
}

async function endVersion(
  tx: Tx,
  id: string,
  status: "declined" | "expired",
  deciding: Deciding,
): Promise<VersionRow> {
  const { added, changed, removed } = await waitingVersion(tx, id);
  return close(tx, id, {
    status,
    decided_by: deciding.who,
    decided_at_ms: deciding.atMs,
    added,
    changed,
    removed,
    set_id: null,
  });
}

async function waitingVersion(tx: Tx, id: string): Promise<VersionRow> {
  await lockLists(tx);
  const version = await findVersion(tx, id);
  if (!version) throw new Refusal("LIST201");
  if (version.status !== "waiting") throw new Refusal("LIST202");
  return version;
}

async function waitingEntries(tx: Tx, id: string): Promise<HashedEntry[]> {
  const all: HashedEntry[] = [];
  for (let afterKey = ""; ; ) {
    const page = await findWaitingEntries(tx, id, { afterKey, limit: listLimits.entriesPage });
    all.push(...page);
    const last = page.at(-1);
    if (!last || page.length < listLimits.entriesPage) return all;
    afterKey = last.entry.key;
  }
}

async function close(
  tx: Tx,
  id: string,
  to: Parameters<typeof decideVersion>[2],
): Promise<VersionRow> {
  await deleteWaitingEntries(tx, id);
  return (await decideVersion(tx, id, to)) as VersionRow;
}

const actions: Partial<Record<VersionRow["status"], string>> = {
  active: "screening.approve",
  declined: "screening.decline",
  expired: "screening.expire",
};

/** The entry of the audit log. */
export function decisionNote(version: VersionRow): AuditNote {
  return {
    action: actions[version.status] ?? "screening.approve-first",
    object: { kind: "screening_list_version", id: version.id },
    before: { status: "waiting" },
    after: versionFacts(version),
  };
}
