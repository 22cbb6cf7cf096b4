// The tables whose rows a subaccount takes along when it moves to another cell, and those that stay. A test fails when a
// table with subaccount_id is in neither list.

export type MovedTable = {
  table: string;
  /** The column with the subaccount. Absent: subaccount_id. */
  column?: "id";
  /** The cleanup deletes from it, for all subaccounts at once. */
  expires?: true;
  /** Columns that may still be written while the subaccount is frozen. They are not compared. */
  unguarded?: readonly string[];
  /**
   * A column with ids that grow with time, which most keys have second. Rows from before the move are compared before
   * the freeze, so that the pause does not grow with their number.
   */
  byTime?: string;
};

/** Tables come after those that they refer to. */
export const movedTables: readonly MovedTable[] = [
  { table: "subaccount", column: "id" },
  { table: "api_key" },
  { table: "api_secret", unguarded: ["last_used_at"] },
  { table: "api_secret_seen", unguarded: ["seen_at"] },
  { table: "api_nonce", expires: true, byTime: "request_id" },
  { table: "idempotency_key", expires: true, byTime: "request_id" },
  { table: "webhook_endpoint" },
  { table: "webhook_endpoint_secret" },
  { table: "further_endpoint" },
  { table: "further_endpoint_secret" },
  { table: "deposit_reference" },
  { table: "ledger_balance" },
  { table: "ledger_transfer", byTime: "id" },
  { table: "closed_month" },
  { table: "ledger_day" },
  { table: "ledger_day_kind" },
  { table: "rollup_cursor" },
  { table: "payout_rollup" },
  { table: "payout_failure_rollup" },
  { table: "delivery_rollup" },
  { table: "delivery_rollup_cursor" },
  { table: "payout_limit" },
  { table: "change_request" },
  { table: "receiver", byTime: "id" },
  { table: "receiver_history", byTime: "receiver_id" },
  { table: "erasure", byTime: "receiver_id" },
  { table: "retention_progress" },
  { table: "kyc_report", byTime: "receiver_id" },
  { table: "review_note" },
  { table: "receiver_account", byTime: "id" },
  { table: "bank_details", byTime: "account_id" },
  { table: "bank_details_change" },
  { table: "payee_name_check", byTime: "id" },
  { table: "screening_hit", byTime: "id" },
  { table: "payout", byTime: "id" },
  { table: "payout_batch", byTime: "id" },
  { table: "metadata_entry", byTime: "object_id" },
  { table: "payout_history", byTime: "payout_id" },
  { table: "payout_approval", byTime: "payout_id" },
  { table: "payout_approval_reason", byTime: "payout_id" },
  { table: "payout_hold" },
  { table: "payout_resolution" },
  { table: "payout_retry", byTime: "retry_of" },
  { table: "payout_rule_match", byTime: "payout_id" },
  { table: "payout_set_aside" },
  { table: "file_import", byTime: "id" },
  { table: "import_mapping" },
  { table: "receipt_logo" },
  { table: "file_import_refusal", expires: true, byTime: "import_id" },
  { table: "event", byTime: "id" },
  { table: "event_recovery", expires: true },
  { table: "event_resend", expires: true, byTime: "id" },
  { table: "delivery" },
  { table: "delivery_abandoned", expires: true, byTime: "event_id" },
  { table: "delivery_attempt", byTime: "event_id" },
  { table: "event_fan_out" },
  { table: "further_delivery" },
  { table: "further_delivery_abandoned", expires: true },
  { table: "further_recovery", expires: true },
];

export const columnOf = ({ column }: MovedTable) => column ?? "subaccount_id";

/** Tables with subaccount_id whose rows stay, each with the reason. */
export const tablesLeftOut: Record<string, string> = {
  audit_entry:
    "the audit log is one chain for each installation; the move exports the entries as a signed file",
  bank_batch_line: "files to a bank belong to the cell that sent them",
  bank_inbound_line: "files from a bank belong to the cell that received them",
  bank_match: "statements belong to the cell whose bank account they describe",
  bank_recall: "a recall belongs to the file that carried the payout; an open one refuses the move",
  bank_suspense_act: "suspense belongs to the cell whose bank account has the money",
  bank_suspense_item: "suspense belongs to the cell whose bank account has the money",
  console_user: "users are per cell",
  payout_count:
    "counts belong to the rules of a cell; the new cell fills them from the payouts, those of a large subaccount before the switch",
  payout_count_fill: "as payout_count: how far the new cell has filled them",
  payout_day_total: "the new cell fills the totals of the day from the payouts",
  payout_word: "the new cell writes the words again when a user searches there",
  receiver_word: "as payout_word",
  request_log:
    "the log of 30 days stays where the requests were answered; its shapes have numbers per installation",
  review_assignment: "it lasts minutes, and names a user of the cell",
  review_vote: "it names a user of the cell; the vote is asked for again",
  screening_record:
    "it names a set of lists of the cell; without a record, the subject is screened again",
  screening_walk: "the new cell screens every receiver and account from the first",
  search_progress: "as payout_word: which rows have their words",
  subaccount_move: "each cell has its own record of the move",
  subaccount_move_marker: "replicated for the move itself, and deleted at its end",
  subaccount_word: "as payout_word",
  user_subaccount: "memberships are granted again to the users of the new cell with the same email",
};
