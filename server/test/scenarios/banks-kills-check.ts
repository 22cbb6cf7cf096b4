// Checks payouts and bank files after kills, from the bank's files and from the tables.

import { createHash } from "node:crypto";
import { verifyLedger } from "../../src/money/ledger/verify.ts";
import type { Db } from "../../src/platform/db/connect.ts";
import { contradictions } from "./payouts-books.ts";

/** Whether the bank returns this payout. */
export function isReturned(payoutId: string): boolean {
  return Number.parseInt(payoutId.slice(-4), 16) % 7 === 0;
}

/** Payouts of acknowledged files that the bank has not returned yet, by batch. The SQL repeats `isReturned`. */
export async function returnsToCome({ pool }: Db): Promise<string[]> {
  const { rows } = await pool.query<{ batch_id: string }>(
    `select distinct l.batch_id from bank_batch b join bank_batch_line l on l.batch_id = b.id
     join payout p on p.subaccount_id = l.subaccount_id and p.id = l.payout_id
     where b.status = 'accepted' and p.stage <> 'returned'
       and ('x' || right(p.id::text, 4))::bit(16)::int % 7 = 0`,
  );
  return rows.map(({ batch_id }) => batch_id);
}

type Batch = { file_name: string; file_sha256: string; status: string };

/** `files` are those that the bank has. Returns a sentence for each problem. */
export async function bankComplaints(
  db: Db,
  files: ReadonlyMap<string, Buffer>,
  payoutIds: readonly string[],
): Promise<string[]> {
  const complaints: string[] = [];
  const inFiles = new Map<string, string[]>();
  for (const [name, bytes] of files) {
    if (name.endsWith(".part")) complaints.push(`${name} was left behind`);
    for (const [, id = ""] of bytes.toString().matchAll(/<EndToEndId>([^<]+)</g)) {
      inFiles.set(id, [...(inFiles.get(id) ?? []), name]);
    }
  }
  for (const id of payoutIds) {
    const names = inFiles.get(id.replaceAll("-", "")) ?? [];
    if (names.length !== 1) complaints.push(`payout ${id} is in the files [${names}]`);
  }
  if (inFiles.size !== payoutIds.length) complaints.push(`the files pay ${inFiles.size} payouts`);

  const { rows: batches } = await db.pool.query<Batch>(
    "select file_name, file_sha256, status from bank_batch where status <> 'discarded'",
  );
  const shaOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
  for (const { file_name, file_sha256, status } of batches) {
    const bytes = files.get(file_name);
    if (status !== "accepted") complaints.push(`${file_name} is ${status}`);
    if (!bytes) complaints.push(`${file_name} is not at the bank`);
    else if (shaOf(bytes) !== file_sha256) complaints.push(`${file_name} is not as approved`);
  }
  if (files.size !== batches.length) complaints.push(`the bank has ${files.size} files`);

  const { rows: payouts } = await db.pool.query<{ id: string; stage: string }>(
    "select id, stage from payout",
  );
  for (const { id, stage } of payouts) {
    const expected = isReturned(id) ? "returned" : "settled";
    if (stage === expected) continue;
    const { rows } = await db.pool.query(
      `select to_jsonb(l) - 'sha256' as line from bank_inbound_line l where payout_id = $1`,
      [id],
    );
    const reported = JSON.stringify(rows);
    complaints.push(`payout ${id} is ${stage} instead of ${expected}: the bank said ${reported}`);
  }
  for (const found of await contradictions(db)) complaints.push(JSON.stringify(found));
  for (const found of (await verifyLedger(db)).differences) complaints.push(JSON.stringify(found));
  return complaints;
}
