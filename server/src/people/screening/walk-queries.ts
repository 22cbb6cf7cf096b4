// The SQL of the walk that gives a record to each receiver and account without one: where it is, for each subaccount.

import { statement, type Tx } from "../../platform/db/index.ts";
import type { SubjectKind } from "./hit.ts";

export type Walk = { subaccountId: string; kind: SubjectKind };

const lockOne = statement<{ after_id: string }>(
  "screening-walk-lock",
  // The first process that comes inserts it. Another one that walks there now is not waited for.
  `select after_id from screening_walk where subaccount_id = $1 and subject_kind = $2 for update skip locked`,
);

const insertOne = statement<never>(
  "screening-walk-insert",
  `insert into screening_walk (subaccount_id, subject_kind, after_id)
   values ($1, $2, '00000000-0000-0000-0000-000000000000') on conflict do nothing`,
);

/** Undefined: another process walks there. */
export async function lockWalk(tx: Tx, { subaccountId, kind }: Walk): Promise<string | undefined> {
  const values = [subaccountId, kind];
  const [found] = await tx.run(lockOne, values);
  if (found) return found.after_id;
  await tx.run(insertOne, values);
  return (await tx.run(lockOne, values))[0]?.after_id;
}

const saveOne = statement<never>(
  "screening-walk-save",
  `update screening_walk set after_id = $3 where subaccount_id = $1 and subject_kind = $2`,
);

export async function saveWalk(
  tx: Tx,
  { subaccountId, kind }: Walk,
  afterId: string,
): Promise<void> {
  await tx.run(saveOne, [subaccountId, kind, afterId]);
}
