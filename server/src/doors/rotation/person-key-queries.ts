// The SQL that gives receivers of before keys of their own: pages of keys over all subaccounts, by the primary key, and the
// rows of some of them. It writes tables of other folders, as every walk through encrypted values does.

import type { ContactFields, PersonColumns, PersonFields } from "../../people/person/index.ts";
import type { HitExplanation } from "../../people/screening/index.ts";
import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import { lowest } from "./column-queries.ts";
import type { EncryptedColumn, KeyValues } from "./encrypted-columns.ts";

export type RowKey = { subaccount_id: string; id: string };

const firstKey: RowKey = { subaccount_id: lowest.uuid, id: lowest.uuid };

type Read = Pick<Runner, "run">;
type DuePage = { due: RowKey[]; next: RowKey | undefined };

const receiverKeys = statement<RowKey & { due: boolean }>(
  "person-key-receivers",
  `select subaccount_id, id, person_key is null and erased_at_ms is null as due from receiver
   where (subaccount_id, id) > ($1, $2) order by subaccount_id, id limit $3`,
);

const accountKeys = statement<RowKey & { due: boolean }>(
  "person-key-accounts",
  `select a.subaccount_id, a.id, a.contact_sealed is null and r.person_key is not null as due
   from (
     select subaccount_id, id, receiver_id, contact_sealed from receiver_account
     where (subaccount_id, id) > ($1, $2) order by subaccount_id, id limit $3
   ) a
   join receiver r on r.subaccount_id = a.subaccount_id and r.id = a.receiver_id
   order by a.subaccount_id, a.id`,
);

/** The next page of keys: those whose person is in the clear. `next` is undefined at the end. */
export async function listInTheClear(
  db: Read,
  kind: "receivers" | "accounts",
  { after = firstKey, limit }: { after?: RowKey | undefined; limit: number },
): Promise<DuePage> {
  const sql = kind === "receivers" ? receiverKeys : accountKeys;
  const rows = await db.run(sql, [after.subaccount_id, after.id, limit]);
  return {
    due: rows.filter(({ due }) => due),
    next: rows.length < limit ? undefined : rows.at(-1),
  };
}

const keysOf = (keys: readonly RowKey[]) => [
  keys.map(({ subaccount_id }) => subaccount_id),
  keys.map(({ id }) => id),
];

export type ReceiverInTheClear = RowKey & PersonFields;

const lockReceiverRows = statement<ReceiverInTheClear>(
  "person-key-lock-receivers",
  `select r.subaccount_id, r.id, r.dob, r.dialcode, r.phone, r.address, r.address2, r.city, r.state, r.postcode
   from receiver r join unnest($1::uuid[], $2::uuid[]) as v(subaccount_id, id) using (subaccount_id, id)
   where r.person_key is null and r.erased_at_ms is null
   order by r.subaccount_id, r.id for no key update of r`,
);

/** Those that are still in the clear, locked in the order of their keys. */
export function lockReceiversInTheClear(
  tx: Tx,
  keys: readonly RowKey[],
): Promise<ReceiverInTheClear[]> {
  return tx.run(lockReceiverRows, keysOf(keys));
}

const setPersons = statement<never>(
  "person-key-set-receivers",
  `update receiver r
   set person_key = v.person_key, person_sealed = v.person_sealed, dob = v.dob, phone = v.phone, dialcode = '',
       address = '', address2 = '', city = '', state = '', postcode = ''
   from unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::bytea[], $5::text[], $6::text[])
     as v(subaccount_id, id, person_key, person_sealed, dob, phone)
   where r.subaccount_id = v.subaccount_id and r.id = v.id`,
);

export type SealedReceiver = RowKey &
  Pick<PersonColumns, "person_sealed" | "dob" | "phone"> & { person_key: Buffer };

/** The rows must be locked. */
export async function updatePersons(tx: Tx, rows: readonly SealedReceiver[]): Promise<void> {
  await tx.run(setPersons, [
    ...keysOf(rows),
    rows.map(({ person_key }) => person_key),
    rows.map(({ person_sealed }) => person_sealed),
    rows.map(({ dob }) => dob),
    rows.map(({ phone }) => phone),
  ]);
}

export type HitInTheClear = RowKey & {
  receiver_id: string;
  subject_hash: string;
  explanation: HitExplanation;
};

const lockHitRows = statement<HitInTheClear>(
  "person-key-lock-hits",
  `select h.subaccount_id, h.id, h.receiver_id, h.subject_hash, h.explanation
   from screening_hit h join unnest($1::uuid[], $2::uuid[]) as v(subaccount_id, receiver_id) using (subaccount_id, receiver_id)
   where h.subject_kind = 'receiver' and not h.explanation ? 'sealed' and h.explanation -> 'subject' ->> 'dob' <> ''
   order by h.subaccount_id, h.id for no key update of h`,
);

/** The hits of these receivers that tell a date of birth. */
export function lockHitsInTheClear(tx: Tx, receivers: readonly RowKey[]): Promise<HitInTheClear[]> {
  return tx.run(lockHitRows, keysOf(receivers));
}

const setHits = statement<never>(
  "person-key-set-hits",
  `update screening_hit h set subject_hash = v.subject_hash, explanation = v.explanation
   from unnest($1::uuid[], $2::uuid[], $3::text[], $4::jsonb[]) as v(subaccount_id, id, subject_hash, explanation)
   where h.subaccount_id = v.subaccount_id and h.id = v.id`,
);

export async function updateHits(tx: Tx, hits: readonly HitInTheClear[]): Promise<void> {
  await tx.run(setHits, [
    ...keysOf(hits),
    hits.map(({ subject_hash }) => subject_hash),
    hits.map(({ explanation }) => JSON.stringify(explanation)),
  ]);
}

export type AccountInTheClear = RowKey &
  ContactFields & { contact_sealed: null; receiver_id: string; person_key: Buffer };

const lockAccountRows = statement<AccountInTheClear>(
  "person-key-lock-accounts",
  `select a.subaccount_id, a.id, a.home_dialcode, a.home_phone, a.address, a.address2, a.city, a.state, a.postcode,
          a.contact_sealed, a.receiver_id, r.person_key
   from receiver_account a join unnest($1::uuid[], $2::uuid[]) as v(subaccount_id, id) using (subaccount_id, id)
   join receiver r on r.subaccount_id = a.subaccount_id and r.id = a.receiver_id
   where a.contact_sealed is null and r.person_key is not null
   order by a.subaccount_id, a.id for no key update of a`,
);

/** Those that are still in the clear and whose receiver has a key, locked in the order of their keys. */
export function lockAccountsInTheClear(
  tx: Tx,
  keys: readonly RowKey[],
): Promise<AccountInTheClear[]> {
  return tx.run(lockAccountRows, keysOf(keys));
}

const setContacts = statement<never>(
  "person-key-set-accounts",
  `update receiver_account a
   set contact_sealed = v.contact_sealed, home_dialcode = '', home_phone = '', address = '', address2 = '', city = '',
       state = '', postcode = ''
   from unnest($1::uuid[], $2::uuid[], $3::bytea[]) as v(subaccount_id, id, contact_sealed)
   where a.subaccount_id = v.subaccount_id and a.id = v.id`,
);

export type SealedAccount = RowKey & { contact_sealed: Buffer };

/** The rows must be locked. */
export async function updateContacts(tx: Tx, rows: readonly SealedAccount[]): Promise<void> {
  await tx.run(setContacts, [...keysOf(rows), rows.map(({ contact_sealed }) => contact_sealed)]);
}

export type PersonValue = {
  key: KeyValues;
  sealed: Buffer;
  subaccount_id: string;
  receiver_id: string;
  person_key: Buffer;
};

const valueStatements = new Map<EncryptedColumn, ReturnType<typeof valuesOf>>();

function valuesOf({ table, column, key, receiver }: EncryptedColumn) {
  const names = key.map(([name]) => name).join(", ");
  const receiverId =
    receiver === "account_id"
      ? "(select a.receiver_id from receiver_account a where a.subaccount_id = t.subaccount_id and a.id = t.account_id)"
      : `t.${receiver}`;
  const arrays = key.map(([, type], index) => `$${index + 1}::${type}[]`).join(", ");
  // Each row names its subaccount_id, which is the first part of the key.
  return statement<PersonValue>(
    `person-key-values-${table}-${column}`.replaceAll("_", "-"),
    `select array[${key.map(([name]) => `t.${name}::text`).join(", ")}] as key, t.${column} as sealed, r.subaccount_id,
            r.id as receiver_id, r.person_key
     from ${table} t join unnest(${arrays}) as v(${names}) using (${names})
     join receiver r on r.subaccount_id = t.subaccount_id and r.id = ${receiverId}
     where r.person_key is not null`,
  );
}

/** Values of these keys whose receiver has a key, with it. */
export function listPersonValues(
  db: Read,
  column: EncryptedColumn,
  keys: readonly KeyValues[],
): Promise<PersonValue[]> {
  const sql = valueStatements.get(column) ?? valuesOf(column);
  valueStatements.set(column, sql);
  return db.run(
    sql,
    column.key.map((_, part) => keys.map((values) => values[part])),
  );
}
