// The SQL of the rows of files that wait for a new receiver or account. What they wait for is read, never stored.

import { type Runner, statement } from "../../platform/db/index.ts";
import type { PayoutRequest } from "../payouts/index.ts";
import type { ImportKey, RefusalRow } from "./file-import-queries.ts";

/** Either the account is known, or the proposal of it. */
export type WaitingRowToInsert = {
  number: number;
  receiverId: string;
  accountId: string | null;
  changeId: string | null;
  equalBefore: number;
  request: PayoutRequest;
};

const insertMany = statement<never>(
  "waiting-rows-insert",
  `insert into file_import_refusal (subaccount_id, import_id, is_waiting, code, number, receiver_id, account_id, change_id,
     equal_before, amount, currency, reference, note, send_on, statement_reference, purpose, allow_duplicate)
   select $1, $2, true, '', number, receiver_id, account_id, change_id, equal_before, amount, currency, reference, note,
     send_on, statement_reference, purpose, allow_duplicate
   from json_to_recordset($3) as r(number integer, receiver_id uuid, account_id uuid, change_id uuid, equal_before integer,
     amount bigint, currency text, reference text, note text, send_on text, statement_reference text, purpose text,
     allow_duplicate boolean)
   on conflict do nothing`,
);

export async function insertWaitingRows(
  db: Runner,
  { subaccountId, id }: ImportKey,
  rows: readonly WaitingRowToInsert[],
): Promise<void> {
  if (rows.length === 0) return;
  const given = rows.map(({ number, receiverId, accountId, changeId, equalBefore, request }) => ({
    number,
    receiver_id: receiverId,
    account_id: accountId,
    change_id: changeId,
    equal_before: equalBefore,
    amount: request.amount.toString(),
    currency: request.currency,
    reference: request.reference,
    note: request.note ?? "",
    send_on: request.sendOn ?? "",
    statement_reference: request.statementReference ?? "",
    purpose: request.purpose ?? "",
    allow_duplicate: request.allowDuplicate ?? false,
  }));
  await db.run(insertMany, [subaccountId, id, JSON.stringify(given)]);
}

/** `account_declined` and `receiver_blocked`: the row is not paid, unless somebody changes that. */
type WaitingRowState =
  | "ready"
  | "account_waits"
  | "account_declined"
  | "identity_check"
  | "receiver_blocked";

const stateOf = `case when c.status = 'waiting' then 'account_waits'
     when c.status <> 'applied' then 'account_declined'
     when r.status = 'active' and r.kyc_status = 'completed' then 'ready'
     when r.kyc_status = 'pending' and r.status <> 'inactive' then 'identity_check'
     else 'receiver_blocked' end`;
const joined = `left join receiver r on r.subaccount_id = f.subaccount_id and r.id = f.receiver_id
   left join bank_details_change c on c.subaccount_id = f.subaccount_id and c.id = f.change_id`;

export type WaitingRow = Omit<RefusalRow, "code"> & { state: WaitingRowState };

const listMany = statement<WaitingRow>(
  "waiting-rows-list",
  `select f.number, f.receiver_id, coalesce(f.account_id, c.account_id) as account_id, f.amount, f.currency, f.reference,
     f.note, f.send_on, f.statement_reference, f.purpose, f.allow_duplicate, r.first_name, r.last_name, ${stateOf} as state
   from file_import_refusal f ${joined}
   where f.subaccount_id = $1 and f.import_id = $2 and f.number > $3 and f.is_waiting order by f.number limit $4`,
);

/** In the order of the file. */
export function listWaitingRows(
  db: Runner,
  { subaccountId, id }: ImportKey,
  { afterNumber = 0, limit }: { afterNumber?: number; limit: number },
): Promise<WaitingRow[]> {
  return db.run(listMany, [subaccountId, id, afterNumber, limit]);
}

const countMany = statement<{ import_id: string; rows: number; ready: number }>(
  "waiting-rows-count",
  `select f.import_id, count(*)::int as rows, count(*) filter (where ${stateOf} = 'ready')::int as ready
   from file_import_refusal f ${joined}
   where f.subaccount_id = $1 and f.import_id = any($2::uuid[]) and f.is_waiting group by f.import_id`,
);

/** By import: how many rows wait, and how many of these can be paid now. */
export async function countWaitingRows(
  db: Runner,
  subaccountId: string,
  importIds: readonly string[],
): Promise<Map<string, { rows: number; ready: number }>> {
  const rows = await db.run(countMany, [subaccountId, importIds]);
  return new Map(rows.map(({ import_id, ...counts }) => [import_id, counts]));
}

export type WaitingOfReceiver = {
  subaccount_id: string;
  import_id: string;
  number: number;
  receiver_id: string;
  account_id: string;
  amount: string;
  currency: string;
  reference: string;
  equal_before: number;
};

const findOfReceivers = statement<WaitingOfReceiver>(
  "waiting-rows-of-receivers",
  `select f.subaccount_id, f.import_id, f.number, f.receiver_id, coalesce(f.account_id, c.account_id) as account_id,
     f.amount, f.currency, f.reference, f.equal_before
   from file_import_refusal f left join bank_details_change c on c.subaccount_id = f.subaccount_id and c.id = f.change_id
   where f.subaccount_id = $1 and f.receiver_id = any($2::uuid[]) and f.is_waiting
     and coalesce(f.account_id, c.account_id) is not null`,
);

/** Those whose account exists. */
export function findWaitingOfReceivers(
  db: Runner,
  subaccountId: string,
  receiverIds: readonly string[],
): Promise<WaitingOfReceiver[]> {
  return db.run(findOfReceivers, [subaccountId, receiverIds]);
}

const deleteMany = statement<never>(
  "waiting-rows-delete",
  `delete from file_import_refusal f using json_to_recordset($1) as w(subaccount_id uuid, import_id uuid, number integer)
   where f.subaccount_id = w.subaccount_id and f.import_id = w.import_id and f.number = w.number`,
);

export async function deleteWaitingRows(
  db: Runner,
  rows: readonly Pick<WaitingOfReceiver, "subaccount_id" | "import_id" | "number">[],
): Promise<void> {
  if (rows.length === 0) return;
  const keys = rows.map(({ subaccount_id, import_id, number }) => {
    return { subaccount_id, import_id, number };
  });
  await db.run(deleteMany, [JSON.stringify(keys)]);
}
