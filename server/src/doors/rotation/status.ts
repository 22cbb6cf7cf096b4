// The state of the data keys: how many values are under each, by table.

import type { DataKeyRow } from "../../platform/data-keys/index.ts";
import { ofPersonKeys } from "../../platform/encryption/index.ts";
import { encryptedColumns } from "./encrypted-columns.ts";
import { type ColumnWalk, countByKey } from "./walk.ts";

export type KeyState = {
  id: string;
  state: DataKeyRow["state"];
  /** Values that carry no key id, and all derived secrets, belong to it. */
  original: boolean;
  /** `master key`: it is the master key itself, before the first rotation. */
  wrapped_by: string;
  created_at: string | null;
  emptied_at: string | null;
  values: number;
};

export type ColumnCount = { table: string; column: string; key: string; values: number };

export type MasterKeyStatus = {
  keys: KeyState[];
  columns: ColumnCount[];
  under_old_keys: number;
};

export async function masterKeyStatus(
  walk: ColumnWalk,
  rows: readonly DataKeyRow[],
): Promise<MasterKeyStatus> {
  const { ring } = walk;
  const columns: ColumnCount[] = [];
  for (const encrypted of encryptedColumns) {
    const { table, column } = encrypted;
    for (const [key, values] of await countByKey(walk, encrypted)) {
      columns.push({ table, column, key, values });
    }
  }
  const valuesOf = (id: string) =>
    columns.filter(({ key }) => key === id).reduce((sum, { values }) => sum + values, 0);
  const keys = rows.map((row): KeyState => {
    const { id, state, is_original: original, created_at, emptied_at, wrapped } = row;
    return {
      id,
      state,
      original,
      wrapped_by: wrappedBy(wrapped),
      created_at: created_at.toISOString(),
      emptied_at: emptied_at?.toISOString() ?? null,
      values: valuesOf(id),
    };
  });
  if (keys.length === 0) keys.push(masterKeyAlone(ring.originalId, valuesOf(ring.originalId)));
  const current = rows.find(({ state }) => state === "current")?.id ?? ring.originalId;
  const all = columns.reduce((sum, { values }) => sum + values, 0);
  const under_old_keys = all - valuesOf(current) - valuesOf(ofPersonKeys);
  return { keys, columns, under_old_keys };
}

function masterKeyAlone(id: string, values: number): KeyState {
  const never = { created_at: null, emptied_at: null };
  return { id, state: "current", original: true, wrapped_by: "master key", ...never, values };
}

/** `vault:v3`, or `local:` with the fingerprint of the master key. */
function wrappedBy(wrapped: string): string {
  return wrapped.split(":").slice(0, 2).join(":");
}
