// Every SQL statement about receivers.

import { type Db, type Runner, statement } from "../db/connect.ts";
import { type Admitted, keyState } from "../idempotency/queries.ts";
import type { ProviderName } from "../kyc-providers/provider.ts";
import { hitRows, insertScreeningSql, type Screened } from "../screening/record-queries.ts";
import type { PersonKey, Seal } from "../seal.ts";
import { openPerson, openPersonIfReadable, personKeyOf, type Unopened } from "./person.ts";
import type { KycStatus, KycStep, ReceiverStatus } from "./receiver.ts";
import type { Receiver } from "./schema.ts";

/** A receiver whose person is opened. */
export type ReceiverRow = {
  id: string;
  first_name: string;
  last_name: string;
  middle_name: string;
  email: string;
  gender: string;
  dob: string;
  dialcode: string;
  phone: string;
  applicant_id: string;
  kyc_status: KycStatus;
  status: ReceiverStatus;
  created_at_ms: string;
  address: string;
  address2: string;
  state: string;
  city: string;
  country: string;
  postcode: string;
};

/** As its columns are stored: `openPerson` decrypts it. */
export type StoredReceiver = Unopened<ReceiverRow>;

export const receiverColumns = `
  r.id, r.first_name, r.last_name, r.middle_name, r.email, r.gender, r.dob, r.dialcode, r.phone,
  r.applicant_id, r.kyc_status, r.status, r.created_at_ms,
  r.address, r.address2, r.state, r.city, r.country, r.postcode,
  r.person_key, r.person_sealed`;

export function presentReceiver(row: ReceiverRow): Receiver {
  return {
    id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    middle_name: row.middle_name,
    email: row.email,
    gender: row.gender,
    dob: row.dob,
    dialcode: row.dialcode,
    phone: row.phone,
    applicant_id: row.applicant_id,
    kyc_status: row.kyc_status,
    status: row.status,
    created_at: row.created_at_ms,
    address_data: {
      address: row.address,
      address2: row.address2,
      state: row.state,
      city: row.city,
      country: row.country,
      postcode: row.postcode,
    },
  };
}

export type ReceiverKey = { subaccountId: string; id: string };
type Reading = { db: Db; seal: Seal };

/** Each change of a row gives it another: its place, and the transaction that wrote it. */
const version = "r.ctid::text || r.xmin::text";

// Lateral, so that every plan is an index scan: a plan that was made while the table was empty would otherwise read the
// whole table, and be kept.
const findMany = statement<StoredReceiver & { call: number; version: string }>(
  "receivers-by-id",
  `select input.call::int, r.version, ${receiverColumns}
   from unnest($1::uuid[], $2::uuid[]) with ordinality as input(subaccount_id, id, call)
   cross join lateral (
     select r.*, ${version} as version
     from receiver r where r.subaccount_id = input.subaccount_id and r.id = input.id limit 1
   ) r`,
);

export type FoundReceiver = { version: string; receiver: Receiver };

/** One for each key, in their order; undefined where the subaccount has no such receiver. */
export async function findVersions(
  { db, seal }: Reading,
  keys: readonly ReceiverKey[],
): Promise<(FoundReceiver | undefined)[]> {
  const rows = await db.run(findMany, [
    keys.map(({ subaccountId }) => subaccountId),
    keys.map(({ id }) => id),
  ]);
  const found: (FoundReceiver | undefined)[] = new Array(keys.length).fill(undefined);
  for (const row of rows) {
    const index = row.call - 1;
    const { subaccountId } = keys[index] as ReceiverKey;
    const receiver = presentReceiver(openPerson(seal, subaccountId, row));
    found[index] = { version: row.version, receiver };
  }
  return found;
}

export async function findReceivers(
  reading: Reading,
  keys: readonly ReceiverKey[],
): Promise<(Receiver | undefined)[]> {
  return (await findVersions(reading, keys)).map((found) => found?.receiver);
}

const findSame = statement<{ same: string | null }>(
  "receivers-same",
  // By their places, which needs no index. One text for all: a row for each would take the driver longer than PostgreSQL
  // takes to find it.
  `select string_agg(r.same, ' ') as same
   from unnest($1::tid[]) as place
   cross join lateral (
     select r.id::text || ${version} as same
     from receiver r where r.ctid = place and r.subaccount_id = any($2::uuid[]) limit 1
   ) r`,
);

/** The keys whose receivers still have this version. */
export async function listSame(
  db: Runner,
  known: ReadonlyMap<ReceiverKey, { version: string }>,
): Promise<Set<ReceiverKey>> {
  const places: string[] = [];
  const subaccountIds = new Set<string>();
  for (const [{ subaccountId }, { version }] of known) {
    places.push(version.slice(0, version.indexOf(")") + 1));
    subaccountIds.add(subaccountId);
  }
  const [row] = await db.run(findSame, [places, [...subaccountIds]]);
  const rows = new Set(row?.same?.split(" "));
  const same = new Set<ReceiverKey>();
  for (const [key, { version }] of known) if (rows.has(key.id + version)) same.add(key);
  return same;
}

const findKey = statement<{ id: string; person_key: Buffer | null }>(
  "receiver-person-key",
  "select id, person_key from receiver where subaccount_id = $1 and id = $2",
);

/** The key under which new values of a receiver come. Undefined: it is from before, or erased. */
export async function findPersonKey(
  { db, seal }: { db: Runner; seal: Seal },
  { subaccountId, id }: ReceiverKey,
): Promise<PersonKey | undefined> {
  const [row] = await db.run(findKey, [subaccountId, id]);
  return row && personKeyOf(seal, subaccountId, row);
}

export type PageRequest = {
  subaccountId: string;
  /** Undefined: of any state. */
  states: readonly { status: ReceiverStatus; kycStatus: KycStatus }[] | undefined;
  /** Only the receiver with this email, in the form of the unique index. */
  emailKey: string | undefined;
  reference: string | undefined;
  /** Only receivers older than this one. */
  beforeId: string;
  limit: number;
};

const listAll = statement<StoredReceiver>(
  "receivers-page",
  `select ${receiverColumns} from receiver r
   where r.subaccount_id = $1 and r.id < $2 order by r.id desc limit $3`,
);

const listByState = statement<StoredReceiver>(
  "receivers-page-by-state",
  // Each pair of states is one short index scan, newest first; the scans are then merged. So a page costs the same
  // however many receivers there are and however rare the state is.
  `select ${receiverColumns}
   from unnest($4::text[], $5::text[]) as wanted(status, kyc_status)
   cross join lateral (
     select * from receiver r
     where r.subaccount_id = $1 and r.status = wanted.status and r.kyc_status = wanted.kyc_status
       and r.id < $2
     order by r.id desc limit $3
   ) r
   order by r.id desc limit $3`,
);

// An email finds one receiver and a reference a few, so their states are checked row by row.
const isWanted = `r.id < $2 and ($4::text[] is null or exists (
  select from unnest($4::text[], $5::text[]) as wanted(status, kyc_status)
  where r.status = wanted.status and r.kyc_status = wanted.kyc_status))`;

const listByEmail = statement<StoredReceiver>(
  "receivers-page-by-email",
  `select ${receiverColumns} from receiver r
   where r.subaccount_id = $1 and r.email_key = $6 and ($7::text is null or r.reference = $7)
     and ${isWanted}
   limit $3`,
);

const listByReference = statement<StoredReceiver>(
  "receivers-page-by-reference",
  `select ${receiverColumns} from receiver r
   where r.subaccount_id = $1 and r.reference = $6 and r.reference <> '' and ${isWanted}
   order by r.id desc limit $3`,
);

const findTaken = statement<{ email_key: string }>(
  "receivers-by-emails",
  "select email_key from receiver where subaccount_id = $1 and email_key = any($2::text[])",
);

/** Which of these emails receivers of the subaccount have. */
export async function findTakenEmails(
  db: Db,
  subaccountId: string,
  emailKeys: readonly string[],
): Promise<Set<string>> {
  const rows = await db.run(findTaken, [subaccountId, emailKeys]);
  return new Set(rows.map(({ email_key }) => email_key));
}

/** Newest first: ids are made in order of time, so ordering by id is ordering by age. */
export async function listReceivers({ db, seal }: Reading, page: PageRequest): Promise<Receiver[]> {
  const rows = await listRows(db, page);
  return rows.map((row) => presentReceiver(openPersonIfReadable(seal, page.subaccountId, row)));
}

function listRows(db: Db, page: PageRequest): Promise<StoredReceiver[]> {
  const { subaccountId, states, emailKey, reference, beforeId, limit } = page;
  const bounds = [subaccountId, beforeId, limit];
  const pairs = [
    states?.map(({ status }) => status) ?? null,
    states?.map(({ kycStatus }) => kycStatus) ?? null,
  ];
  if (emailKey !== undefined) {
    return db.run(listByEmail, [...bounds, ...pairs, emailKey, reference ?? null]);
  }
  if (reference !== undefined) return db.run(listByReference, [...bounds, ...pairs, reference]);
  return states ? db.run(listByState, [...bounds, ...pairs]) : db.run(listAll, bounds);
}

/** A row of the table, by its columns, with the nonce and the idempotency key of its request. */
export type ReceiverToInsert = Omit<ReceiverRow, "created_at_ms"> & {
  subaccount_id: string;
  /** In the text form of bytes. Undefined: the person is in the clear. */
  person_key: string | undefined;
  person_sealed: string | undefined;
  created_at_ms: number;
  request_id: string;
  key: string;
  nonce: string | undefined;
  nonce_expires_at_ms: number | undefined;
  idempotency_key: string | undefined;
  request_hash: string | undefined;
  /** The response stored under the idempotency key, and when it expires. */
  answer: string | undefined;
  answer_expires_at_ms: number | undefined;
  kyc_due_at_ms: number | undefined;
  email_key: string;
  reference: string;
  created_by: string;
  kyc_provider: ProviderName;
  kyc_step: KycStep | undefined;
  /** Undefined: it was not screened, because there is no list. */
  screening_set_id: number | undefined;
};

const texts = `first_name, last_name, middle_name, email, email_key, gender, dob, dialcode, phone, address,
  address2, city, state, postcode, country, reference, applicant_id, status, kyc_status, created_by,
  kyc_provider, kyc_step`;

/** The first row has the number of created receivers, the others are those that were not created. */
type Inserted = { created: number; id: null } | (Admitted & { id: string });

/** `screening` is the CTEs that write what screening found. Without a list there are none. */
const insertWith = (screening: string) =>
  // A used nonce, a stored idempotency key and a taken email each keep a row out. The unique keys of the three tables
  // decide, for calls of one batch as for calls of other processes. Rows are inserted in sorted order, so that two
  // batches with the same emails wait for each other instead of deadlocking. An expired idempotency key counts as
  // unused. Of several calls with the same key, the first gets it.
  `with input as materialized (
     select *, ${keyState("input.subaccount_id", "idempotency_key", "$2")} as key_state
     from rows from (json_to_recordset($1) as (
       subaccount_id uuid, id uuid, created_at_ms bigint, request_id uuid, key text, nonce text,
       nonce_expires_at_ms bigint, idempotency_key text, request_hash text, answer text,
       answer_expires_at_ms bigint, kyc_due_at_ms bigint, screening_set_id bigint,
       person_key bytea, person_sealed bytea, ${texts.replaceAll(/\w+/g, "$& text")}))
       with ordinality as input
   ), signed as (
     insert into api_nonce (subaccount_id, key, nonce, request_id, expires_at_ms)
     select subaccount_id, key, nonce, request_id, nonce_expires_at_ms from input
     where nonce is not null and key_state <> 'held'
     order by subaccount_id, key, nonce
     on conflict do nothing
     returning request_id
   ), kept as (
     insert into idempotency_key as known
       (subaccount_id, key, request_id, request_hash, answer, expires_at_ms)
     select distinct on (subaccount_id, idempotency_key)
       subaccount_id, idempotency_key, request_id, request_hash, answer, answer_expires_at_ms
     from input
     where key_state = 'free'
       and (nonce is null or request_id in (select request_id from signed))
     order by subaccount_id, idempotency_key, ordinality
     on conflict (subaccount_id, key) do update
       set request_id = excluded.request_id, request_hash = excluded.request_hash,
           answer = excluded.answer, expires_at_ms = excluded.expires_at_ms
       where known.expires_at_ms <= $2
     returning request_id
   ), created as (
     insert into receiver (subaccount_id, id, created_at_ms, kyc_due_at_ms, person_key, person_sealed, ${texts})
     select subaccount_id, id, created_at_ms, kyc_due_at_ms, person_key, person_sealed, ${texts} from input
     where (nonce is null or request_id in (select request_id from signed))
       and (idempotency_key is null or request_id in (select request_id from kept))
     order by subaccount_id, email_key
     on conflict on constraint receiver_email_taken do nothing
     returning id
   )${screening}
   select count(*)::int as created, null::uuid as id, null::boolean as held, null::boolean as fresh,
          null::boolean as kept, null::int as undone
   from created
   union all
   select null, id, key_state = 'held', nonce is null or request_id in (select request_id from signed),
          idempotency_key is null or request_id in (select request_id from kept),
          case when $3 and idempotency_key is not null and request_id in (select request_id from kept)
            then undo_statement() end
   from input where id not in (select id from created)`;

const insertMany = statement<Inserted>("receivers-insert", insertWith(""));

const insertScreened = statement<Inserted>(
  "receivers-insert-screened",
  insertWith(
    `, ${insertScreeningSql(
      `select subaccount_id, 'receiver' as subject_kind, id as subject_id, screening_set_id as set_id,
            created_at_ms as at_ms
     from input where id in (select id from created) and screening_set_id is not null`,
      "$4",
      { areNew: true },
    )}`,
  ),
);

export type Insertion = "created" | "email-taken" | "nonce-used" | "key-known" | "key-held";

/**
 * One statement, so one transaction. One result for each row, in their order. The statement also stores the idempotency
 * key of a row whose address is taken, although a refusal must not be stored. With `strict`, such a row undoes the
 * whole statement (`isUndoneByUs`).
 */
export async function insertReceivers(
  db: Runner,
  rows: readonly ReceiverToInsert[],
  { strict = false, screened = [] }: { strict?: boolean; screened?: readonly Screened[] } = {},
): Promise<Insertion[]> {
  // One JSON text for all rows: 30 arrays would cost far more to write and to read.
  const values = [JSON.stringify(rows), Date.now(), strict];
  const answers =
    screened.length === 0
      ? await db.run(insertMany, values)
      : await db.run(insertScreened, [...values, hitRows(screened)]);
  const refused = new Map<string, Admitted>();
  let created = 0;
  for (const answer of answers) {
    if (answer.id === null) created = answer.created;
    else refused.set(answer.id, answer);
  }
  if (created + refused.size !== rows.length) throw new Error("a receiver has no result");
  db.afterCommit(({ changed }) => {
    for (const { id, subaccount_id } of rows) {
      if (!refused.has(id)) changed(subaccount_id, "receivers");
    }
  });
  return rows.map(({ id }) => {
    const answer = refused.get(id);
    if (!answer) return "created";
    if (answer.held) return "key-held";
    if (!answer.fresh) return "nonce-used";
    return answer.kept ? "email-taken" : "key-known";
  });
}
