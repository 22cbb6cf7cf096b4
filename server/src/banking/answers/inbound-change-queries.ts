// The SQL of notifications of change: the payment that one is about, and proposals that wait.

import type { AccountKey } from "../../people/accounts/index.ts";
import { isStillHere, type Runner, statement, type Tx } from "../../platform/db/index.ts";
import type { SentLine } from "./inbound-queries.ts";

const findWaiting = statement<{ id: string }>(
  "bank-inbound-change-waiting",
  `select id from bank_details_change where subaccount_id = $1 and account_id = $2 and status = 'waiting' limit 1`,
);

export async function isChangeProposed(tx: Tx, { subaccountId, id }: AccountKey): Promise<boolean> {
  return (await tx.run(findWaiting, [subaccountId, id])).length > 0;
}

export type SentAccount = SentLine & {
  account_id: string;
  account_version: number;
  account_number_sealed: Buffer;
  receiver_id: string;
  person_key: Buffer | null;
  file_reference: string;
};

const findByPlace = statement<SentAccount>(
  "bank-inbound-by-place",
  `select l.subaccount_id, l.payout_id, l.batch_id, l.line, l.match_key, l.file_reference, b.process_date,
          b.status as batch_status, b.connection_id, d.bsb, d.bank_code, d.account_id, d.version as account_version,
          d.account_number_sealed, r.id as receiver_id, r.person_key
   from bank_batch b
   join bank_batch_line l on l.batch_id = b.id and l.line = any($2::int[])
   join payout p on p.subaccount_id = l.subaccount_id and p.id = l.payout_id
   join bank_details d on d.subaccount_id = p.subaccount_id and d.account_id = p.account_id
     and d.version = p.account_version
   join receiver r on r.subaccount_id = p.subaccount_id and r.id = p.receiver_id
   where b.connection_id = $1 and b.process_date >= $3 and b.status <> 'discarded'
     and ${isStillHere("l.subaccount_id")}`,
);

/** The payments of recent files at these places. Such reports name no amount. */
export function findSentByPlace(
  db: Runner,
  { connectionId, places, fromDate }: { connectionId: string; places: number[]; fromDate: string },
): Promise<SentAccount[]> {
  return db.run(findByPlace, [connectionId, places, fromDate]);
}
