// The SQL of the logos on receipts.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";

export type ReceiptLogo = { mediaType: string; bytes: Buffer; setAtMs: number };

const findOne = statement<{ media_type: string; bytes: Buffer; set_at_ms: string }>(
  "receipt-logo-find",
  "select media_type, bytes, set_at_ms from receipt_logo where subaccount_id = $1",
);

export async function findReceiptLogo(
  db: Runner,
  subaccountId: string,
): Promise<ReceiptLogo | undefined> {
  const [row] = await db.run(findOne, [subaccountId]);
  return row && { mediaType: row.media_type, bytes: row.bytes, setAtMs: Number(row.set_at_ms) };
}

const saveOne = statement<never>(
  "receipt-logo-save",
  `insert into receipt_logo (subaccount_id, media_type, bytes, set_by, set_at_ms) values ($1, $2, $3, $4, $5)
   on conflict (subaccount_id) do update
   set media_type = excluded.media_type, bytes = excluded.bytes, set_by = excluded.set_by, set_at_ms = excluded.set_at_ms`,
);

export async function saveReceiptLogo(
  tx: Tx,
  subaccountId: string,
  { type, bytes }: { type: string; bytes: Uint8Array },
  { who, atMs }: { who: string; atMs: number },
): Promise<void> {
  await tx.run(saveOne, [subaccountId, type, Buffer.from(bytes), who, atMs]);
}

const removeOne = statement<{ subaccount_id: string }>(
  "receipt-logo-remove",
  "delete from receipt_logo where subaccount_id = $1 returning subaccount_id",
);

/** Returns whether there was one. */
export async function removeReceiptLogo(tx: Tx, subaccountId: string): Promise<boolean> {
  return (await tx.run(removeOne, [subaccountId])).length > 0;
}
