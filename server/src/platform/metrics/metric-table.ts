// Every metric of the service, once: name, type, labels and help.

/** From a millisecond to ten seconds. */
const requestBounds = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const;
/** From a millisecond to an hour: an endpoint may be down for long. */
const deliveryBounds = [...requestBounds, 30, 60, 300, 900, 3600] as const;
const sizeBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256] as const;

export type MetricDefinition = {
  type: "counter" | "gauge" | "histogram";
  labels?: readonly string[];
  bounds?: readonly number[];
  help: string;
  /** Of several processes, only the supervisor reports it. */
  ofSupervisor?: true;
};

/** docs/reference/metrics.md is made from this table. */
export const metricTable = {
  disburse_http_requests_total: {
    type: "counter",
    labels: ["route", "method", "status"],
    help: "Answered requests; unknown routes are `unknown`",
  },
  disburse_http_request_duration_seconds: {
    type: "histogram",
    labels: ["route"],
    bounds: requestBounds,
    help: "Time from the arrival of a request to the end of its response",
  },
  disburse_misrouted_requests_total: {
    type: "counter",
    help: "Requests with an unknown API key that names another cell: the edge sent them to the wrong cell, or the key is made up",
  },
  disburse_payout_moves_total: {
    type: "counter",
    labels: ["to_stage"],
    help: "Payouts that this process moved to a stage, including new payouts",
  },
  disburse_payouts_set_aside: {
    type: "gauge",
    help: "Payouts that could not be sent or checked at the bank, in all processes; each is retried with backoff",
  },
  disburse_payouts_unconfirmed: {
    type: "gauge",
    help: "Of these, submitted payouts without a bank reference",
  },
  disburse_payouts_on_hold: {
    type: "gauge",
    help: "Payouts that are on hold, in all processes; counted up to 1,000",
  },
  disburse_payouts_oldest_hold_age_seconds: {
    type: "gauge",
    help: "Time since the oldest of these is on hold; 0 when there is none. After 30 days it fails",
  },
  disburse_payouts_oldest_submitted_age_seconds: {
    type: "gauge",
    labels: ["mode"],
    help: "Time since the oldest payout without an outcome was sent to its bank, in `test` and `live` mode; 0 when there is none",
  },
  disburse_payouts_oldest_due_age_seconds: {
    type: "gauge",
    labels: ["mode"],
    help: "Time since the next step of a payout was due and not taken: to send it, when its file is frozen, or to ask for its outcome; 0 when none is late",
  },
  disburse_approvals_oldest_age_seconds: {
    type: "gauge",
    labels: ["kind"],
    help: "Age of the oldest of what waits for a second user, by kind: payout, resolution, bank_change, key, rotation, limits, erasure, bank_connection, bank_request, bank_discard, finance_approval, token, rules, screening_list; 0 when there is none. After 30 days it expires",
  },
  disburse_approvals_expired_total: {
    type: "counter",
    labels: ["kind"],
    help: "What expired because no second user decided within 30 days, by kind",
  },
  disburse_receivers_oldest_review_age_seconds: {
    type: "gauge",
    help: "Time since the oldest identity check waits for a user; 0 when there is none",
  },
  disburse_balance_minor_units: {
    type: "gauge",
    labels: ["mode", "currency", "part"],
    help: "Balances of all subaccounts together, in minor units: `available`, `held` and `in_transit`; absent above 100,000 balances",
  },
  disburse_bank_batches_cutoff_left_seconds: {
    type: "gauge",
    help: "Time until the nearest cut-off of a bank batch of a live connection that is frozen and not sent, negative after it; absent when there is none",
  },
  disburse_bank_sends_total: {
    type: "counter",
    labels: ["outcome"],
    help: "Bank files that this process tried to send by SFTP, by outcome; `another_file`: the bank has another file of that name",
  },
  disburse_bank_polls_total: {
    type: "counter",
    labels: ["outcome"],
    help: "Polls of folders for files from banks by this process, by outcome; `polled`: all files were looked at",
  },
  disburse_bank_polls_oldest_age_seconds: {
    type: "gauge",
    help: "Time since the last good poll of the folder of a live connection for which it is longest; 0 when there is none",
  },
  disburse_bank_files_refused: {
    type: "gauge",
    help: "Files in folders of banks that were refused and wait for a user, of live connections",
  },
  disburse_suspense_items: {
    type: "gauge",
    help: "Reports of banks that wait for the decision of a user, of live connections",
  },
  disburse_suspense_oldest_age_seconds: {
    type: "gauge",
    help: "Age of the oldest of these; absent when none waits",
  },
  disburse_screening_records_behind: {
    type: "gauge",
    help: "Receivers and accounts that are not screened against the newest lists yet; counted up to 100,000",
  },
  disburse_screening_oldest_hit_age_seconds: {
    type: "gauge",
    help: "Age of the oldest screening hit that waits for a user; 0 when there is none",
  },
  disburse_screening_list_age_seconds: {
    type: "gauge",
    labels: ["list"],
    help: "Time since the active version of a sanctions list was published, or imported where its files don't say when",
  },
  disburse_screening_list_entries: {
    type: "gauge",
    labels: ["list"],
    help: "Entries of the active version of a sanctions list",
  },
  disburse_screening_list_waiting: {
    type: "gauge",
    labels: ["list"],
    help: "1 while a version of the list waits for a second user",
  },
  disburse_screening_list_refused: {
    type: "gauge",
    labels: ["list"],
    help: "1 while the files of a list in SCREENING_FOLDER are refused by this process; `disburse screening import` says why",
  },
  disburse_delivery_attempts_total: {
    type: "counter",
    labels: ["outcome"],
    help: "Delivery attempts by outcome",
  },
  disburse_delivery_first_attempt_seconds: {
    type: "histogram",
    bounds: deliveryBounds,
    help: "Time from the commit of an event to its first delivery attempt",
  },
  disburse_delivery_acknowledged_seconds: {
    type: "histogram",
    bounds: deliveryBounds,
    help: "Time from the commit of an event to the 2xx response of its webhook endpoint",
  },
  disburse_delivery_oldest_age_seconds: {
    type: "gauge",
    help: "Age of the oldest waiting event, without webhook endpoints that are backing off",
  },
  disburse_delivery_lanes: {
    type: "gauge",
    labels: ["state"],
    help: "Lanes of webhook endpoints: `owned` by this process; `open`, which are backing off and only probed; `disabled`",
  },
  disburse_endpoints_failing: {
    type: "gauge",
    labels: ["for"],
    help: "Webhook endpoints that have failed continuously for at least this long",
  },
  disburse_endpoints_secret_unreadable: {
    type: "gauge",
    help: "Webhook endpoints whose newest secret can't be decrypted, so that their events wait",
  },
  disburse_delivery_claim_duration_seconds: {
    type: "histogram",
    bounds: requestBounds,
    help: "Time to claim lanes",
  },
  disburse_delivery_ack_batch_size: {
    type: "histogram",
    bounds: sizeBounds,
    help: "Outcomes of attempts that one statement recorded",
  },
  disburse_delivery_at_rest_total: {
    type: "counter",
    help: "Deliveries that were abandoned; they are not retried until they are resent",
  },
  disburse_delivery_duplicate_sends_total: {
    type: "counter",
    help: "Events that were sent twice, because of a crash after the webhook endpoint had accepted them",
  },
  disburse_endpoints_disabled_total: {
    type: "counter",
    labels: ["cause"],
    help: "Webhook endpoints that were disabled: `failing` for as many days as they allow, `gone` (410), or with a `secret` that can't be decrypted",
  },
  disburse_db_pool: {
    type: "gauge",
    labels: ["state"],
    help: "Database connections of this process: `total`, `idle`, and calls `waiting` for one",
  },
  disburse_batch_size: {
    type: "histogram",
    labels: ["statement"],
    bounds: sizeBounds,
    help: "Calls that shared one statement",
  },
  disburse_request_log_rows_total: {
    type: "counter",
    help: "Requests written to the request log",
  },
  disburse_request_log_dropped_total: {
    type: "counter",
    labels: ["reason"],
    help: "Requests missing from the request log: `full`, the database was down or too slow; `refused` by the database; `unproven`, too many without a valid signature",
  },
  disburse_values_under_old_keys: {
    type: "gauge",
    help: "Encrypted values that the running or interrupted rotation of the data keys has still to encrypt again; 0 after it",
  },
  disburse_values_unreadable_total: {
    type: "counter",
    help: "Requests that were refused with SYST112, because a stored value can't be decrypted",
  },
  disburse_audit_head_number: {
    type: "gauge",
    help: "Number of the last audit entry, updated each minute; it never decreases",
  },
  disburse_backup_point_seconds: {
    type: "gauge",
    ofSupervisor: true,
    help: "Everything committed before this Unix time can be restored from BACKUP_DIR; absent without a backup that can be continued up to now",
  },
  disburse_ready: {
    type: "gauge",
    ofSupervisor: true,
    help: "1 while `/readyz` of the metrics port is 200, otherwise 0",
  },
  disburse_build_info: {
    type: "gauge",
    labels: ["version", "node", "commit"],
    help: "1, with the version of this process, its Node, and its commit if that is known",
  },
  disburse_processes: {
    type: "gauge",
    labels: ["state"],
    ofSupervisor: true,
    help: "Processes of this service that are `ready`, `starting` or `draining`",
  },
  disburse_process_restarts_total: {
    type: "counter",
    ofSupervisor: true,
    help: "Processes that ended without being told to, and were started again",
  },
  disburse_retention_rows_total: {
    type: "counter",
    labels: ["kind"],
    help: "Rows that were kept long enough and lost their content, by kind: payouts, bankFiles, audit, screening",
  },
  disburse_retention_oldest_age_seconds: {
    type: "gauge",
    labels: ["kind"],
    help: "Age of the oldest row that still has its content, by kind; of `events` and `requestLog`, of the oldest partition. Read every six hours by the process that leads; 0 when there is none",
  },
  disburse_retention_kept_seconds: {
    type: "gauge",
    labels: ["kind"],
    help: "For how long rows of this kind are kept, from the settings",
  },
  nodejs_eventloop_lag_p50_seconds: {
    type: "gauge",
    help: "Median delay of the event loop since the last scrape",
  },
  nodejs_eventloop_lag_p99_seconds: { type: "gauge", help: "99th percentile of the same" },
  nodejs_eventloop_lag_max_seconds: { type: "gauge", help: "Maximum of the same" },
  nodejs_eventloop_utilization: {
    type: "gauge",
    help: "Share of time in which the event loop was busy, since the last scrape",
  },
  nodejs_heap_size_used_bytes: { type: "gauge", help: "Used JavaScript heap" },
  process_resident_memory_bytes: { type: "gauge", help: "Resident memory of this process" },
  process_open_fds: { type: "gauge", help: "Open file descriptors, on Linux" },
  process_cpu_seconds_total: { type: "counter", help: "CPU time, user and system" },
  process_start_time_seconds: { type: "gauge", help: "Start time of this process, in Unix time" },
} as const satisfies Record<string, MetricDefinition>;
