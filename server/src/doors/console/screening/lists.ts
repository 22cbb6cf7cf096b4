// Reads the sanctions lists: the version in force of each and its age, and what waits for a second user.

import { fileListNames, type ListName, listLimits } from "../../../people/list-files/index.ts";
import {
  ageMsOf,
  findVersion,
  isOld,
  listEmbargoes,
  listFolderActor,
  listVersions,
  reasonToWait,
  type VersionRow,
} from "../../../people/sanctions-lists/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { conflictsOf } from "../../../tenants/four-eyes/index.ts";
import type { User } from "../../../tenants/roles/index.ts";
import { whyNotApprove } from "../why-not.ts";
import { presentVersion, titleOf } from "./present.ts";
import type { SanctionsLists, VersionShown, WaitingVersion } from "./schema.ts";

export type ListViewer = { user: User; who: string; nowMs: number };

const lists: readonly ListName[] = [...fileListNames, "embargo"];

export async function readLists(db: Db, viewer: ListViewer): Promise<SanctionsLists> {
  const rows = await listCurrent(db);
  const shown = lists.map(async (list) => {
    const { active, waiting } = versionsOf(rows, list);
    return {
      list,
      ...titleOf(list),
      active: active ? presentVersion(active) : null,
      waiting: waiting ? await presentWaiting(db, waiting, active, viewer) : null,
      age_ms: active ? ageMsOf(active, viewer.nowMs) : null,
      is_old: active !== undefined && isOld(active, viewer.nowMs),
    };
  });
  return {
    lists: await Promise.all(shown),
    old_after_ms: listLimits.oldMs,
    embargoes: await listEmbargoes(db),
  };
}

export async function readVersion(db: Db, id: string, viewer: ListViewer): Promise<VersionShown> {
  const row = await requireVersion(db, id);
  const { title } = titleOf(row.list);
  if (row.status !== "waiting") return { version: presentVersion(row), title };
  const { active } = versionsOf(await listCurrent(db), row.list);
  return { version: await presentWaiting(db, row, active, viewer), title };
}

export async function requireVersion(db: Db, id: string): Promise<VersionRow> {
  const row = await findVersion(db, id);
  if (!row) throw new Refusal("LIST201");
  return row;
}

/** At most two of each list. */
function listCurrent(db: Db): Promise<VersionRow[]> {
  return listVersions(db, ["active", "waiting"], 2 * lists.length);
}

function versionsOf(rows: readonly VersionRow[], list: ListName) {
  const [active, waiting] = (["active", "waiting"] as const).map((status) =>
    rows.find((row) => row.list === list && row.status === status),
  );
  return { active, waiting };
}

async function presentWaiting(
  db: Db,
  row: VersionRow,
  active: VersionRow | undefined,
  { user, who }: ListViewer,
): Promise<WaitingVersion> {
  const { made_by, first_approved_by } = row;
  const [conflict] = await conflictsOf(db, [[made_by, first_approved_by]], { who });
  return {
    ...presentVersion(row),
    reason: reasonToWait(row, active),
    needs_two: made_by === listFolderActor,
    why_not: whyNotApprove(user, "receivers.review", conflict),
  };
}
