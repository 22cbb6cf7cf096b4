// The SQL of how the last file of each kind was read.

import { type Runner, statement } from "../../platform/db/index.ts";
import type { RememberedReading } from "./reading-plan.ts";

export type FileKind = "payouts" | "receivers" | "accounts";
type MappingKey = { subaccountId: string; kind: FileKind };

const findOne = statement<RememberedReading>(
  "import-mapping-find",
  "select columns, fixed from import_mapping where subaccount_id = $1 and kind = $2",
);

export async function findImportMapping(
  db: Runner,
  { subaccountId, kind }: MappingKey,
): Promise<RememberedReading | undefined> {
  return (await db.run(findOne, [subaccountId, kind]))[0];
}

const saveOne = statement<never>(
  "import-mapping-save",
  `insert into import_mapping (subaccount_id, kind, columns, fixed, saved_by, saved_at_ms)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (subaccount_id, kind) do update
   set columns = excluded.columns, fixed = excluded.fixed, saved_by = excluded.saved_by, saved_at_ms = excluded.saved_at_ms`,
);

export async function saveImportMapping(
  db: Runner,
  { subaccountId, kind }: MappingKey,
  { columns, fixed }: RememberedReading,
  { who, atMs }: { who: string; atMs: number },
): Promise<void> {
  const values = [JSON.stringify(columns), JSON.stringify(fixed), who, atMs];
  await db.run(saveOne, [subaccountId, kind, ...values]);
}
