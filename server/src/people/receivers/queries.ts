// The SQL statements that read receivers. Those that write them are in insert-queries.ts and state-queries.ts.

import { type Db, type Runner, statement } from "../../platform/db/index.ts";
import type { PersonKey, Seal } from "../../platform/encryption/index.ts";
import { type Metadata, metadataHash } from "../../platform/metadata/index.ts";
import { openPerson, openPersonIfReadable, personKeyOf, type Unopened } from "../person/index.ts";
import type { KycStatus, ReceiverStatus } from "./receiver.ts";
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
  metadata: Metadata | null;
};

/** As its columns are stored: `openPerson` decrypts it. */
export type StoredReceiver = Unopened<ReceiverRow>;

/** The last name as its index stores it: in lower case, compared byte by byte. */
export const nameKey = `lower(r.last_name) collate "C"`;

export const receiverColumns = `
  r.id, r.first_name, r.last_name, r.middle_name, r.email, r.gender, r.dob, r.dialcode, r.phone,
  r.applicant_id, r.kyc_status, r.status, r.created_at_ms,
  r.address, r.address2, r.state, r.city, r.country, r.postcode, r.metadata,
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
    ...(row.metadata && { metadata: row.metadata }),
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
  /** One key and its value. */
  metadata: Metadata | undefined;
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

const listByMetadata = statement<StoredReceiver>(
  "receivers-page-by-metadata",
  `select ${receiverColumns}
   from metadata_entry e cross join lateral (
     select * from receiver r
     where r.subaccount_id = $1 and r.id = e.object_id and ${isWanted}
       and ($7::text is null or r.email_key = $7) and ($8::text is null or r.reference = $8) limit 1
   ) r
   where e.subaccount_id = $1 and e.hash = $6 and e.object_id < $2
   order by e.object_id desc limit $3`,
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
  const { subaccountId, states, emailKey, reference, metadata, beforeId, limit } = page;
  const bounds = [subaccountId, beforeId, limit];
  const pairs = [
    states?.map(({ status }) => status) ?? null,
    states?.map(({ kycStatus }) => kycStatus) ?? null,
  ];
  if (metadata) {
    const more = [metadataHash("receiver", metadata), emailKey ?? null, reference ?? null];
    return db.run(listByMetadata, [...bounds, ...pairs, ...more]);
  }
  if (emailKey !== undefined) {
    return db.run(listByEmail, [...bounds, ...pairs, emailKey, reference ?? null]);
  }
  if (reference !== undefined) return db.run(listByReference, [...bounds, ...pairs, reference]);
  return states ? db.run(listByState, [...bounds, ...pairs]) : db.run(listAll, bounds);
}
