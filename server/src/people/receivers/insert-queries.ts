// The SQL statements that insert receivers, with the nonces and the idempotency keys of their requests.

import { type Runner, statement } from "../../platform/db/index.ts";
import { type Admitted, insertNoncesSql, keyState } from "../../platform/idempotency/index.ts";
import {
  insertEventsSql,
  isRequestedSql,
  receiverCreatedSql,
} from "../../webhooks/events/index.ts";
import type { ProviderName } from "../kyc-providers/index.ts";
import { hitRows, insertScreeningSql, type Screened } from "../screening/index.ts";
import type { ReceiverRow } from "./queries.ts";
import type { KycStep } from "./receiver.ts";

// Where a person is encrypted, its fields are empty. Empty texts are left out: they need not be written and read.
const oftenEmpty = [
  ...["middle_name", "reference"],
  ...["dialcode", "address", "address2", "city", "state", "postcode"],
] as const satisfies string[];
type OftenEmpty = (typeof oftenEmpty)[number];

/** A row of the table, by its columns, with the nonce and the idempotency key of its request. */
export type ReceiverToInsert = Omit<ReceiverRow, "created_at_ms" | "metadata" | OftenEmpty> & {
  /** Undefined: the text is empty. */
  [Column in OftenEmpty]?: string | undefined;
} & {
  subaccount_id: string;
  /** In the text form of bytes. Undefined: the person is in the clear. */
  person_key: string | undefined;
  person_sealed: string | undefined;
  created_at_ms: number;
  /** Needed with a nonce or an idempotency key. */
  request_id: string | undefined;
  /** Needed with a nonce. */
  api_key: string | undefined;
  nonce: string | undefined;
  nonce_expires_at_ms: number | undefined;
  idempotency_key: string | undefined;
  request_hash: string | undefined;
  /** The response stored under the idempotency key, and when it expires. */
  answer: string | undefined;
  answer_expires_at_ms: number | undefined;
  kyc_due_at_ms: number | undefined;
  email_key: string;
  created_by: string;
  kyc_provider: ProviderName;
  kyc_step: KycStep | undefined;
  /** Undefined: it was not screened, because there is no list. */
  screening_set_id: number | undefined;
};

const texts = `first_name, last_name, email, email_key, gender, dob, phone, country, applicant_id, status, kyc_status,
  created_by, kyc_provider, kyc_step`;
const allTexts = `${texts}, ${oftenEmpty.join(", ")}`;

const columns = `id uuid, created_at_ms bigint, kyc_due_at_ms bigint, screening_set_id bigint,
  person_key bytea, person_sealed bytea, ${allTexts.replaceAll(/\w+/g, "$& text")}`;

/** Rows are inserted in sorted order, so that two batches with the same emails wait for each other, without a deadlock. */
const createFrom = (input: string) =>
  `insert into receiver (subaccount_id, id, created_at_ms, kyc_due_at_ms, person_key, person_sealed, ${allTexts})
   select subaccount_id, id, created_at_ms, kyc_due_at_ms, person_key, person_sealed, ${texts},
     ${oftenEmpty.map((column) => `coalesce(${column}, '')`).join(", ")}
   from ${input}
   order by subaccount_id, email_key
   on conflict on constraint receiver_email_taken do nothing
   returning id`;

/** The first row has the number of created receivers, the others are those that were not created. */
type Inserted =
  | { created: number; id: null; told: string[] }
  | (Admitted & { id: string; told: null });

/** The CTEs of the events about created receivers, for the subaccounts that requested them. Each has the id of its receiver. */
const createdEvents = `, new_events as (
     select 0 as call, i.subaccount_id, i.id as event_id, i.id as order_key,
            'receiverCreated' as event_type, ${receiverCreatedSql("i")} as event_body, i.created_at_ms as at_ms
     from input i join webhook_endpoint n
       on n.subaccount_id = i.subaccount_id and ${isRequestedSql("'receiverCreated'", "n")}
     where i.id in (select id from created)
   ), ${insertEventsSql}`;
const told = "array(select distinct subaccount_id from inserted_events) as told";

/** For calls without nonces and idempotency keys. Only a taken email keeps a row out. */
function insertion(name: string, screening: string) {
  return statement<Inserted>(
    name,
    `with input as materialized (
     select * from json_to_recordset($1) as input(subaccount_id uuid, ${columns})
   ), created as (
     ${createFrom("input")}
   )${screening}${createdEvents}
   select count(*)::int as created, null::uuid as id, null::boolean as held, null::boolean as fresh, null::boolean as kept,
          ${told}
   from created
   union all
   select null, id, false, true, true, null from input where id not in (select id from created)`,
  );
}

/**
 * A used nonce, a stored idempotency key and a taken email each keep a row out. The unique keys of the three tables
 * decide, for calls of one batch as for calls of other processes. An expired idempotency key counts as unused. Of several
 * calls with the same key, the first gets it.
 */
function keyedInsertion(name: string, screening: string) {
  return statement<Inserted>(
    name,
    `with input as materialized (
     select *, ${keyState("input.subaccount_id", "idempotency_key", "$2")} as key_state
     from rows from (json_to_recordset($1) as (
       request_id uuid, api_key text, nonce text, nonce_expires_at_ms bigint, idempotency_key text, request_hash text,
       answer text, answer_expires_at_ms bigint, subaccount_id uuid, ${columns})) with ordinality as input
   ), signed as (
     ${insertNoncesSql}
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
     ${createFrom(
       `input where (nonce is null or request_id in (select request_id from signed))
          and (idempotency_key is null or request_id in (select request_id from kept))`,
     )}
   )${screening}${createdEvents}
   select count(*)::int as created, null::uuid as id, null::boolean as held, null::boolean as fresh,
          null::boolean as kept, ${told}, null::int as undone
   from created
   union all
   select null, id, key_state = 'held', nonce is null or request_id in (select request_id from signed),
          idempotency_key is null or request_id in (select request_id from kept), null,
          case when $3 and idempotency_key is not null and request_id in (select request_id from kept)
            then undo_statement() end
   from input where id not in (select id from created)`,
  );
}

/** The CTEs that write what screening found. Without a list there are none. */
const screeningOf = (hits: string) =>
  `, ${insertScreeningSql(
    `select subaccount_id, 'receiver' as subject_kind, id as subject_id, screening_set_id as set_id,
            created_at_ms as at_ms
     from input where id in (select id from created) and screening_set_id is not null`,
    hits,
    { areNew: true },
  )}`;

// Where no call has a nonce or a key, PostgreSQL takes less time for each row without the tables of them.
const insert = {
  plain: insertion("receivers-insert", ""),
  screened: insertion("receivers-insert-screened", screeningOf("$2")),
};
const insertKeyed = {
  plain: keyedInsertion("receivers-insert-keyed", ""),
  screened: keyedInsertion("receivers-insert-keyed-screened", screeningOf("$4")),
};

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
  const json = JSON.stringify(rows);
  const isKeyed = rows.some((row) => row.nonce !== undefined || row.idempotency_key !== undefined);
  const [sql, values] = isKeyed ? [insertKeyed, [json, Date.now(), strict]] : [insert, [json]];
  const answers =
    screened.length === 0
      ? await db.run(sql.plain, values)
      : await db.run(sql.screened, [...values, hitRows(screened)]);
  const refused = new Map<string, Admitted>();
  let created = 0;
  let told: string[] = [];
  for (const answer of answers) {
    if (answer.id === null) ({ created, told } = answer);
    else refused.set(answer.id, answer);
  }
  if (created + refused.size !== rows.length) throw new Error("a receiver has no result");
  db.afterCommit(({ changed, onEventCommitted }) => {
    for (const subaccountId of told) onEventCommitted(subaccountId);
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
