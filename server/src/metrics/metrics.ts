// All metrics of the service in one table, and the functions that record them. Labels have few, fixed values: no
// addresses, ids or names. Each service has its own registry.

import { Gauge, Registry } from "@prometheus-io/client";
import {
  type BankPollOutcome,
  type BankSendOutcome,
  bankPollOutcomes,
  bankSendOutcomes,
} from "./bank-outcomes.ts";
import { Counters, Histograms } from "./counters.ts";
import { processCollector } from "./process-metrics.ts";

/** From a millisecond to ten seconds. */
const requestBounds = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const;
/** From a millisecond to an hour: an endpoint may be down for long. */
const deliveryBounds = [...requestBounds, 30, 60, 300, 900, 3600] as const;
const sizeBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256] as const;

type Definition = {
  type: "counter" | "gauge" | "histogram";
  labels?: readonly string[];
  bounds?: readonly number[];
  help: string;
};

/** The page docs/operations.md is made from this table. */
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
  disburse_bank_batches_oldest_unsent_age_seconds: {
    type: "gauge",
    help: "Age of the oldest bank batch of a live connection that is frozen and not sent; 0 when there is none",
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
  disburse_audit_head_number: {
    type: "gauge",
    help: "Number of the last audit entry, updated each minute; it never decreases",
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
} as const satisfies Record<string, Definition>;

type Table = typeof metricTable;
type Name = keyof Table;
type NamesOf<Type> = { [N in Name]: Table[N]["type"] extends Type ? N : never }[Name];

/** Outcomes of a delivery attempt. */
export const deliveryOutcomes = [
  "delivered",
  "refused_4xx",
  "refused_5xx",
  "redirected",
  "gone",
  "throttled",
  "timeout",
  "dns",
  "connect",
  "tls",
  "cut",
  "malformed",
  "forbidden",
] as const;
export type DeliveryOutcome = (typeof deliveryOutcomes)[number];

type BatchedStatement =
  | "keys-load"
  | "payouts-create"
  | "payouts-find"
  | "receivers-create"
  | "receivers-find"
  | "receivers-move";

type PoolUse = Record<"total" | "idle" | "waiting", number>;
/** 0 seconds where there is no such batch or folder. */
export type BankState = Record<
  "oldestUnsentAgeSeconds" | "oldestPollAgeSeconds" | "filesRefused",
  number
>;
export type DeliveryState = {
  /** Undefined when nothing waits. */
  oldestAgeSeconds: number | undefined;
  lanes: Record<"owned" | "open" | "disabled", number>;
  failing: Record<"1h" | "24h" | "7d", number>;
};

/** A collector may wait for the database, but a scrape must not: after this time it continues without the value. */
const collectMs = 2_000;
const methods = new Set(["GET", "HEAD", "POST", "PATCH", "DELETE", "PUT", "OPTIONS"]);

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  const collectors: (() => Promise<void> | void)[] = [];

  const optionsOf = (name: Name) => {
    const { help, labels = [] }: Definition = metricTable[name];
    return { name, help, labels };
  };
  // The registry's type accepts only the client's classes, but it uses just `name` and `get`.
  const register = (family: Counters | Histograms) => registry.registerMetric(family as never);

  function counters(name: NamesOf<"counter">): Counters {
    const made = new Counters(optionsOf(name));
    register(made);
    return made;
  }

  function histograms(name: NamesOf<"histogram">): Histograms {
    const made = new Histograms({ ...optionsOf(name), bounds: metricTable[name].bounds });
    register(made);
    return made;
  }

  function gauge(name: NamesOf<"gauge">) {
    const { labels, ...options } = optionsOf(name);
    const made = new Gauge<string>({ ...options, labelNames: [...labels], registers: [registry] });
    // An unset value is absent, not zero.
    if (labels.length === 0) made.remove();
    return made;
  }

  const requests = counters("disburse_http_requests_total");
  const durations = histograms("disburse_http_request_duration_seconds");

  const moves = counters("disburse_payout_moves_total");
  const setAside = gauge("disburse_payouts_set_aside");
  const unconfirmed = gauge("disburse_payouts_unconfirmed");
  const oldestUnsent = gauge("disburse_bank_batches_oldest_unsent_age_seconds");
  const bankSends = counters("disburse_bank_sends_total");
  // Created at the start with zero, so that the first one counts as an increase.
  for (const outcome of bankSendOutcomes) bankSends.of(outcome);
  const bankPolls = counters("disburse_bank_polls_total");
  for (const outcome of bankPollOutcomes) bankPolls.of(outcome);
  const oldestPoll = gauge("disburse_bank_polls_oldest_age_seconds");
  const filesRefused = gauge("disburse_bank_files_refused");
  const suspense = gauge("disburse_suspense_items");
  const suspenseAge = gauge("disburse_suspense_oldest_age_seconds");
  const attempts = counters("disburse_delivery_attempts_total");
  // Created at the start with zero, so that the first attempt counts as an increase.
  for (const outcome of deliveryOutcomes) attempts.of(outcome);
  const firstAttempt = histograms("disburse_delivery_first_attempt_seconds").of();
  const acknowledged = histograms("disburse_delivery_acknowledged_seconds").of();
  const oldestAge = gauge("disburse_delivery_oldest_age_seconds");
  const lanes = gauge("disburse_delivery_lanes");
  const failing = gauge("disburse_endpoints_failing");
  const claimDuration = histograms("disburse_delivery_claim_duration_seconds").of();
  const ackBatchSize = histograms("disburse_delivery_ack_batch_size").of();
  const atRest = counters("disburse_delivery_at_rest_total").of();
  const duplicates = counters("disburse_delivery_duplicate_sends_total").of();
  const pool = gauge("disburse_db_pool");
  const batchSizes = histograms("disburse_batch_size");
  const requestRows = counters("disburse_request_log_rows_total").of();
  const requestDrops = counters("disburse_request_log_dropped_total");
  for (const reason of ["full", "refused", "unproven"]) requestDrops.of(reason);
  const auditHead = gauge("disburse_audit_head_number");
  collectors.push(processCollector({ counters, gauge }));

  return {
    /** `route` is the pattern of the route; undefined for an unknown path. */
    request(response: {
      route: string | undefined;
      method: string;
      status: number;
      seconds: number;
    }): void {
      const { route = "unknown", method, status, seconds } = response;
      requests.of(route, methods.has(method) ? method : "other", status).add();
      durations.of(route).observe(seconds);
    },

    payoutsMoved(toStages: readonly string[]): void {
      for (const stage of toStages) moves.of(stage).add();
    },

    /** Called on each scrape. */
    collectPayouts(read: () => Promise<{ setAside: number; unconfirmed: number }>): void {
      collectors.push(async () => {
        setAside.remove();
        unconfirmed.remove();
        const state = await inTime(read);
        if (!state) return;
        setAside.set(state.setAside);
        unconfirmed.set(state.unconfirmed);
      });
    },

    bankSend: (outcome: BankSendOutcome): void => bankSends.of(outcome).add(),
    bankPoll: (outcome: BankPollOutcome): void => bankPolls.of(outcome).add(),
    /** Called on each scrape. */
    collectBanks(read: () => Promise<BankState>): void {
      collectors.push(async () => {
        for (const one of [oldestUnsent, oldestPoll, filesRefused]) one.remove();
        const state = await inTime(read);
        if (!state) return;
        oldestUnsent.set(state.oldestUnsentAgeSeconds);
        oldestPoll.set(state.oldestPollAgeSeconds);
        filesRefused.set(state.filesRefused);
      });
    },

    /** Called on each scrape. */
    collectSuspense(
      read: () => Promise<{ items: number; oldestAgeSeconds: number | undefined }>,
    ): void {
      collectors.push(async () => {
        suspense.remove();
        suspenseAge.remove();
        const state = await inTime(read);
        if (!state) return;
        suspense.set(state.items);
        if (state.oldestAgeSeconds !== undefined) suspenseAge.set(state.oldestAgeSeconds);
      });
    },

    deliveryAttempt: (outcome: DeliveryOutcome): void => attempts.of(outcome).add(),
    deliveryFirstAttempt: (sinceCommitSeconds: number): void =>
      firstAttempt.observe(sinceCommitSeconds),
    deliveryAcknowledged: (sinceCommitSeconds: number): void =>
      acknowledged.observe(sinceCommitSeconds),
    deliveryClaim: (seconds: number): void => claimDuration.observe(seconds),
    deliveryAckBatch: (size: number): void => ackBatchSize.observe(size),
    deliveryAbandoned: (count = 1): void => atRest.add(count),
    deliveryDuplicate: (): void => duplicates.add(),
    /** Called on each scrape, so it must not count the rows of a whole table. */
    collectDelivery(read: () => Promise<DeliveryState> | DeliveryState): void {
      collectors.push(async () => {
        oldestAge.remove();
        lanes.reset();
        failing.reset();
        const state = await inTime(read);
        if (!state) return;
        oldestAge.set(state.oldestAgeSeconds ?? 0);
        setEach(lanes, "state", state.lanes);
        setEach(failing, "for", state.failing);
      });
    },

    collectPool: (read: () => PoolUse): void =>
      void collectors.push(() => setEach(pool, "state", read())),
    /** The observer of one batched statement, for `batch`. */
    batchSize(statement: BatchedStatement): (size: number) => void {
      const sizes = batchSizes.of(statement);
      return (size) => sizes.observe(size);
    },

    requestsLogged: (rows: number): void => requestRows.add(rows),
    requestsDropped: (reason: string, rows: number): void => requestDrops.of(reason).add(rows),

    auditHead: (number: number): void => auditHead.set(number),

    contentType: registry.contentType,
    async text(): Promise<string> {
      // Before the registry reads: one collector may set several metrics.
      await Promise.all(collectors.map((collect) => collect()));
      return registry.metrics();
    },
  };
}

function setEach(gauge: Gauge<string>, label: string, values: Record<string, number>): void {
  for (const [value, count] of Object.entries(values)) gauge.set({ [label]: value }, count);
}

/** Undefined when it fails or takes too long. Then only its metrics are absent. */
async function inTime<T>(read: () => Promise<T> | T): Promise<T | undefined> {
  const tooLate = new Promise<undefined>((resolve) => {
    setTimeout(resolve, collectMs, undefined).unref();
  });
  const reading = (async () => read())().catch(() => undefined);
  return Promise.race([reading, tooLate]);
}
