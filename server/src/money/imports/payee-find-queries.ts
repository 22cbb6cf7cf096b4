// The SQL by which rows of a file find their receivers and accounts.

import { type Runner, statement } from "../../platform/db/index.ts";

export type ReceiverOfRow = {
  id: string;
  email_key: string;
  reference: string;
  first_name: string;
  last_name: string;
  country: string;
};

const findMany = statement<ReceiverOfRow>(
  "import-find-receivers",
  // A reference that many have is found a few times: two are a problem already.
  `select id, email_key, reference, first_name, last_name, country from receiver
   where subaccount_id = $1 and id = any($2::uuid[])
   union
   select id, email_key, reference, first_name, last_name, country from receiver
   where subaccount_id = $1 and email_key = any($3::text[])
   union
   select r.id, r.email_key, r.reference, r.first_name, r.last_name, r.country from unnest($4::text[]) as wanted(reference)
   cross join lateral (
     select * from receiver r where r.subaccount_id = $1 and r.reference = wanted.reference and r.reference <> ''
     order by r.id limit 3) r`,
);

type WantedReceivers = {
  ids: readonly string[];
  emailKeys: readonly string[];
  references: readonly string[];
};

export function findReceiversOfRows(
  db: Runner,
  subaccountId: string,
  { ids, emailKeys, references }: WantedReceivers,
): Promise<ReceiverOfRow[]> {
  return db.run(findMany, [subaccountId, ids, emailKeys, references]);
}

export type AccountOfRow = {
  id: string;
  receiver_id: string;
  is_active: boolean;
  mark: string | null;
  tail: string;
  bank_name: string;
  bsb: string;
  bank_code: string;
  first_name: string;
  last_name: string;
};

const accountColumns = `a.id, a.receiver_id, a.status = 'active' as is_active, d.account_number_mark as mark,
  d.account_number_tail as tail, d.bank_name, d.bsb, d.bank_code, r.first_name, r.last_name`;
const joined = `join bank_details d on d.subaccount_id = a.subaccount_id and d.account_id = a.id and d.version = a.version
   join receiver r on r.subaccount_id = a.subaccount_id and r.id = a.receiver_id`;

const findAccounts = statement<AccountOfRow>(
  "import-find-accounts",
  `select ${accountColumns} from receiver_account a ${joined}
   where a.subaccount_id = $1 and a.id = any($2::uuid[])
   union
   select ${accountColumns} from unnest($3::uuid[]) as wanted(receiver_id)
   join receiver_account a on a.subaccount_id = $1 and a.receiver_id = wanted.receiver_id ${joined}
   union
   select ${accountColumns} from unnest($4::text[]) as wanted(mark)
   cross join lateral (
     select m.account_id from bank_details m
     where m.subaccount_id = $1 and m.account_number_mark = wanted.mark and m.account_number_mark is not null
     order by m.account_id limit 20) m
   join receiver_account a on a.subaccount_id = $1 and a.id = m.account_id ${joined}`,
);

type WantedAccounts = {
  ids: readonly string[];
  receiverIds: readonly string[];
  /** The keyed hashes of account numbers. */
  marks: readonly string[];
};

/** With their current bank details. */
export function findAccountsOfRows(
  db: Runner,
  subaccountId: string,
  { ids, receiverIds, marks }: WantedAccounts,
): Promise<AccountOfRow[]> {
  return db.run(findAccounts, [subaccountId, ids, receiverIds, marks]);
}
