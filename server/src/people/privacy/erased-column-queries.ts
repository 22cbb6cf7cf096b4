// Every column that can hold text or bytes, and what erasure does with it: one table. The statements of erasure are made
// from it, and a test compares it with the columns of the database.

import { type Runner, statement } from "../../platform/db/index.ts";
import type { ReceiverKey } from "../receivers/index.ts";
import { endpointColumns } from "./endpoint-columns.ts";
import {
  address,
  empty,
  noEvidence,
  type PersonPlace,
  personFields,
  reasonErased,
  withoutFields,
  withoutMetadata,
} from "./erased-values.ts";

/** The rows of the person, by ids that were collected before. */
export type PersonIds = {
  subaccount: string;
  receiver: string;
  accounts: readonly string[];
  payouts: readonly string[];
  /** Bank batches, files from banks, lines of statements and items of suspense that payouts of the person are in. */
  batches: readonly string[];
  files: readonly string[];
  lines: readonly string[];
  items: readonly string[];
  events: readonly string[];
  /** Texts that name this person alone, in lower case. */
  words: readonly string[];
};

const mine = "subaccount_id = {subaccount} and receiver_id = {receiver}";
const ofPayouts = "subaccount_id = {subaccount} and payout_id = any({payouts})";

/** The payout batches that pay this person alone. */
function batchOf(id: string): string {
  return `${id} in (
      select p.batch_id from payout p
      where p.subaccount_id = {subaccount} and p.id = any({payouts}) and p.batch_id is not null
        and not exists (select from payout o where o.subaccount_id = {subaccount} and o.batch_id = p.batch_id
                          and o.batch_id is not null and o.receiver_id <> p.receiver_id))`;
}

export const places: Record<string, PersonPlace> = {
  receiver: {
    rows: "subaccount_id = {subaccount} and id = {receiver}",
    overwrites: {
      ...empty(
        `first_name last_name middle_name email gender dob dialcode phone ${address} reference applicant_id`,
      ),
      metadata: "null",
      // Without the key nothing opens what it encrypted, also in older copies.
      person_key: "null",
      person_sealed: "null",
      // The column is unique. The email can be used again, by a new receiver.
      email_key: "'erased:' || id",
      kyc_needs_review: "false",
    },
    keeps: "status kyc_status created_by kyc_provider kyc_step",
  },
  receiver_history: {
    rows: mine,
    overwrites: reasonErased,
    keeps: "who from_status to_status from_kyc_status to_kyc_status",
  },
  receiver_account: {
    rows: mine,
    overwrites: {
      ...empty(`aka occupation reference home_dialcode home_phone ${address}`),
      contact_sealed: "null",
      metadata: "null",
      receiver_accepted: "false",
      status: "'inactive'",
    },
    keeps: "receiver_address_outcome",
  },
  bank_details: {
    rows: "subaccount_id = {subaccount} and account_id = any({accounts})",
    overwrites: {
      ...empty("account_number_tail bsb bank_code bank_name abn acn nzbn business_name"),
      account_number_mark: "null",
    },
    apart: "account_number_sealed",
    keeps: "country individual_or_business created_by confirmed_by checking_or_savings",
  },
  bank_details_change: {
    rows: mine,
    overwrites: {
      ...empty("account_number_tail reason"),
      status: "case status when 'waiting' then 'withdrawn' else status end",
    },
    apart: "proposal_sealed",
    keeps: "country made_by confirmed_by decided_by",
  },
  kyc_report: {
    rows: mine,
    overwrites: {
      public_comment: "''",
      // In a decision of a user it is the name of that user.
      private_comment: "case provider when 'operator' then private_comment else '' end",
    },
    keeps: "event_id provider outcome labels",
  },
  screening_hit: {
    rows: mine,
    overwrites: {
      explanation: `'${noEvidence}'`,
      subject_hash: "'erased:' || id",
      reason: "''",
    },
    keeps: "subject_kind list entry_key entry_hash status same_by decided_by",
  },
  review_note: { rows: mine, overwrites: empty("note"), keeps: "kind audience who" },
  payout: {
    rows: "subaccount_id = {subaccount} and id = any({payouts})",
    overwrites: {
      ...empty("reference note cause statement_reference provider_reference"),
      metadata: "null",
    },
    keeps:
      "currency status stage cause_code rail created_by send_on process_date expected_arrival purpose",
  },
  // A batch that pays others too is about none of them.
  payout_batch: {
    rows: `subaccount_id = {subaccount} and ${batchOf("id")}`,
    overwrites: { metadata: "null" },
  },
  metadata_entry: {
    rows: `subaccount_id = {subaccount} and (
      object_id = any({receiver}::uuid || {accounts} || {payouts}) or ${batchOf("object_id")})`,
    deletes: "hash",
  },
  receiver_word: { rows: mine, deletes: "word" },
  payout_word: { rows: ofPayouts, deletes: "word" },
  payout_history: {
    rows: ofPayouts,
    overwrites: reasonErased,
    keeps: "who from_status to_status from_stage to_stage",
  },
  payout_hold: {
    rows: ofPayouts,
    overwrites: {
      reasons: `(select coalesce(jsonb_agg(case when one ? 'text' then one || '{"text":""}' else one end), '[]')
                 from jsonb_array_elements(reasons) one)`,
      decided_why: "''",
    },
    keeps: "held_by decision decided_by",
  },
  payout_resolution: { rows: ofPayouts, overwrites: empty("reason"), keeps: "outcome proposed_by" },
  payout_set_aside: { rows: ofPayouts, overwrites: empty("reason") },
  // Amounts, accounts and numbers never change: the books still add up.
  ledger_transfer: { apart: "reference", keeps: "currency debit credit kind created_by" },
  bank_recall: {
    rows: ofPayouts,
    overwrites: empty("note outcome_note"),
    keeps: "requested_by outcome decided_by",
  },
  bank_batch_line: {
    rows: ofPayouts,
    overwrites: empty("file_reference match_key account_key"),
  },
  // Its hash, which was approved, stays with the batch.
  bank_batch_chunk: { rows: "batch_id = any({batches})", deletes: "sealed" },
  bank_batch_encrypted_chunk: { rows: "batch_id = any({batches})", deletes: "bytes" },
  bank_inbound_chunk: { rows: "file_id = any({files})", deletes: "sealed" },
  bank_inbound_line: {
    rows: `${ofPayouts} or (file_id, number) in (
      select i.file_id, i.number from bank_suspense_item i where i.id = any({items}))`,
    overwrites: empty("bank_text reference detail"),
    keeps: "item_key kind source code day currency outcome",
  },
  bank_statement_line: {
    rows: "id = any({lines})",
    overwrites: empty("bank_reference reference bank_text party account_tail"),
    keeps: "day value_day currency code content_key status",
  },
  bank_match: { rows: ofPayouts, overwrites: empty("reason"), keeps: "kind rule made_by" },
  bank_suspense_item: {
    rows: "id = any({items})",
    overwrites: empty("bank_text reference account_tail"),
    keeps: "kind reason code day currency status",
  },
  bank_suspense_act: {
    rows: "item_id = any({items})",
    overwrites: empty("reason"),
    keeps: "act who",
  },
  bank_exception_note: {
    rows: `item in (select 'line:' || id from unnest({lines}) id union all
                    select 'suspense:' || id from unnest({items}) id union all
                    select 'payout:' || id from unnest({payouts}) id)`,
    overwrites: empty("note"),
    keeps: "item owner who",
  },
  event: {
    rows: "subaccount_id = {subaccount} and id = any({events})",
    overwrites: {
      body: withoutMetadata(withoutFields("body", "reference cause account_number_masked")),
    },
    keeps: "type traceparent",
  },
  delivery_attempt: {
    rows: "subaccount_id = {subaccount} and event_id = any({events})",
    overwrites: empty("answer"),
    keeps: "failure detail",
  },
  idempotency_key: {
    rows: `subaccount_id = {subaccount} and exists (
      select from unnest({receiver}::uuid || {accounts}) id where strpos(answer, id::text) > 0)`,
    overwrites: { answer: withoutMetadata(withoutFields("answer", personFields)) },
    keeps: "key request_hash",
  },
  audit_entry: {
    apart: "before after",
    keeps: "who action object_kind object_id ip request_id previous_hash hash redaction_mark token",
  },
  erasure: { keeps: "erased_by email_hash" },
  retention_progress: { keeps: "place after_key" },

  // Without words of a receiver: names of our own, codes, days, hashes, and users of the console.
  audit_head: { keeps: "hash mark" },
  audit_verified: { keeps: "fault hash mark" },
  api_key: { keeps: "key name scopes addresses" },
  api_nonce: { keeps: "key nonce" },
  api_secret: { keeps: "key sealed" },
  api_secret_seen: { keeps: "key who" },
  bank_batch: {
    keeps:
      "status process_date currency file_name file_sha256 frozen_by approved_by downloaded_by sent_by bank_reference discard_by",
  },
  bank_batch_send: { keeps: "problem destination name sha256" },
  // Sums, and items by their ids.
  bank_closing: { keeps: "month currency csv csv_sha256 pdf pdf_sha256 closed_by" },
  bank_closing_item: { keeps: "month item" },
  bank_connection: {
    keeps: `name format currency countries settings_sealed account_tail calendar closed_days time_zone freeze_at bank_cutoff
      success_when created_by travels sftp_sealed mode fee_percent fee_bearer`,
  },
  bank_connection_request: {
    keeps: "kind name fields_sealed before after settings_sha256 made_by status decided_by",
  },
  bank_csv_mapping: { keeps: "mapping saved_by" },
  bank_folder_file: { keeps: "folder name status code message" },
  bank_folder_poll: { keeps: "problem" },
  bank_inbound_file: { keeps: "sha256 name format received_by confirmed_by" },
  bank_alone_total: { keeps: "day currency" },
  // Sums and ids. Its input and its bytes are deleted with the decision, after 30 days at most.
  bank_request: {
    keeps: `kind object_id summary summary_sha256 input_sealed made_by status decided_by reason`,
  },
  bank_request_chunk: { keeps: "sealed" },
  bank_statement: { keeps: "kind bank_id sequence currency from_day to_day" },
  // A request to erase the receiver, which was erased by another way meanwhile.
  change_request: {
    rows: `subaccount_id = {subaccount} and kind = 'erasure' and object_id = {receiver}::text and status = 'waiting'`,
    overwrites: { status: "'withdrawn'" },
    keeps: "kind object_id before after made_by decided_by",
  },
  closed_month: { keeps: "currency month closed_by" },
  console_user: { keeps: "name email image role" },
  data_key: { keeps: "id wrapped state" },
  deposit_reference: { keeps: "currency reference" },
  file_import: {
    rows: `subaccount_id = {subaccount} and exists (
      select from unnest({words}) word where strpos(lower(file_name), word) > 0)`,
    overwrites: empty("file_name"),
    keeps: "kind who",
  },
  file_import_refusal: {
    rows: mine,
    overwrites: empty("reference note statement_reference"),
    keeps: "code currency send_on purpose",
  },
  // Names of columns, which a file without a header takes from its first row.
  import_mapping: {
    rows: `subaccount_id = {subaccount} and exists (
      select from unnest({words}) word where strpos(lower(columns::text), word) > 0)`,
    overwrites: { columns: "'{}'" },
    keeps: "kind fixed saved_by",
  },
  receipt_logo: { keeps: "bytes media_type set_by" },
  event_recovery: { keeps: "who cancelled_by" },
  event_resend: { keeps: "who" },
  installation: { keeps: "master_key_check finance_asked_by cell quarantine_reason person_keys" },
  invitation: { keeps: "token_hash made_by" },
  ledger_balance: { keeps: "currency day" },
  ledger_day: { keeps: "currency" },
  ledger_day_kind: { keeps: "currency kind" },
  login_request: { keeps: "device_hash code_hash client ip_address" },
  login_failure: { keeps: "source" },
  migration: { keeps: "name checksum version" },
  // An answer is encrypted, and kept for a day.
  operator_answer: { keeps: "key request_hash answer" },
  operator_token: { keeps: "name secret_hash role addresses approved_by" },
  payee_name_check: { keeps: "mode outcome" },
  payout_approval: { keeps: "who role" },
  payout_approval_reason: { keeps: "rule" },
  payout_count: { keeps: "currency" },
  payout_count_fill: { keeps: "currency" },
  // Of two days. The subject of an account is a keyed hash.
  payout_day_total: { keeps: "currency day subject" },
  // Counts of a quarter of an hour. A cause may be the bank's own text; it is part of the key.
  payout_failure_rollup: {
    rows: `subaccount_id = {subaccount} and exists (
      select from unnest({words}) word where strpos(lower(cause), word) > 0)`,
    overwrites: { cause: "'erased ' || gen_random_uuid()" },
    keeps: "currency cause_code",
  },
  payout_limit: { keeps: "currency" },
  payout_rollup: { keeps: "currency" },
  payout_rule_match: { keeps: "rule_id name act role figures" },
  payout_rule_set: { keeps: "rules hash epochs status note made_by decided_by decided_why" },
  // Values are kept by an allow-list: tenants/request-log/redact.ts.
  request_log: { keeps: "key method route ip agent query codes detail" },
  request_shape: { keeps: "fields" },
  review_assignment: { keeps: "user_id who" },
  review_vote: { keeps: "user_id who version" },
  rollup_cursor: { keeps: "currency" },
  // Published lists.
  screening_entry: { keeps: "list key hash entry" },
  screening_list_version: {
    keeps: "list hash published_day status made_by decided_by first_approved_by",
  },
  screening_record: { keeps: "subject_kind" },
  screening_set: { keeps: "versions" },
  screening_waiting_entry: { keeps: "key hash entry" },
  screening_walk: { keeps: "subject_kind" },
  // The company that calls the API, and its contact.
  subaccount: {
    keeps: `mode suba_name title first_name last_name email dob kassi_status business_name business_or_individual
      support_email mobile_dialcode mobile home_dialcode home_telephone address suburb state country postcode
      has_passed_kyc kyc_status sms_provider email_provider statement_name
      balance_levels`,
  },
  subaccount_word: { keeps: "word" },
  subaccount_move: { keeps: "side other_cell step facts" },
  user_credential: {
    keeps: "provider_id account_id password access_token refresh_token id_token scope",
  },
  user_passkey: { keeps: "name credential_id public_key device_type transports aaguid" },
  user_session: { keeps: "token ip_address user_agent client" },
  user_verification: { keeps: "identifier value" },
  user_view: { keeps: "list name search" },
  user_vouch: { keeps: "voucher confirmed_by" },
  ...endpointColumns,
};

type CollectedIds = Omit<PersonIds, "subaccount" | "receiver" | "words">;

const collectIds = statement<CollectedIds>(
  "erasure-ids",
  `with account as materialized (
     select id from receiver_account where subaccount_id = $1 and receiver_id = $2
   ), payout_id as materialized (
     select p.id from account a join payout p on p.subaccount_id = $1 and p.account_id = a.id
   ), item as materialized (
     select i.id, i.file_id, i.number from bank_suspense_item i where i.subaccount_id = $1 and i.payout_id in (select id from payout_id)
     union
     select i.id, i.file_id, i.number from bank_suspense_act a join bank_suspense_item i on i.id = a.item_id
     where a.payout_id in (select id from payout_id)
   ), reported as materialized (
     select l.file_id, l.number from bank_inbound_line l
     where l.subaccount_id = $1 and l.payout_id in (select id from payout_id)
     union select file_id, number from item
   ), line as materialized (
     select m.line_id as id from bank_match m where m.subaccount_id = $1 and m.payout_id in (select id from payout_id)
     union
     select l.id from reported r join bank_statement s on s.file_id = r.file_id
     join bank_statement_line l on l.statement_id = s.id and l.report_number = r.number
   )
   select array(select id from account) as accounts,
          array(select id from payout_id) as payouts,
          array(select distinct b.batch_id from bank_batch_line b
                where b.subaccount_id = $1 and b.payout_id in (select id from payout_id)) as batches,
          array(select file_id from reported union
                select s.file_id from line join bank_statement_line l on l.id = line.id
                join bank_statement s on s.id = l.statement_id) as files,
          array(select id from line) as lines,
          array(select id from item) as items,
          array(select id from event where subaccount_id = $1 and receiver_id = $2) as events`,
);

/** The ids of the rows that belong to a receiver. */
export async function findPersonIds(
  db: Runner,
  { subaccountId, id }: ReceiverKey,
): Promise<CollectedIds> {
  const [found] = await db.run(collectIds, [subaccountId, id]);
  if (!found) throw new Error("a select of arrays has one row");
  return found;
}
