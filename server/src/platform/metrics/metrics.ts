// All metrics of the service in one table, and the functions that record them. Labels have few, fixed values: no
// addresses, ids or names. Each service has its own registry.

import { Gauge, Registry } from "@prometheus-io/client";
import { commit, version } from "../base/index.ts";
import {
  type BankPollOutcome,
  type BankSendOutcome,
  bankPollOutcomes,
  bankSendOutcomes,
} from "./bank-outcomes.ts";
import { Counters, Histograms } from "./counters.ts";
import type { MetricFamily } from "./merge.ts";
import { type MetricDefinition, metricTable } from "./metric-table.ts";
import { processCollector } from "./process-metrics.ts";
import type { DeliveryState, ListState } from "./states.ts";

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

export type ProcessStates = Record<"ready" | "starting" | "draining", number>;
type PoolUse = Record<"total" | "idle" | "waiting", number>;
type PayoutState = Record<"setAside" | "unconfirmed" | "onHold" | "oldestHoldAgeSeconds", number>;
/** Payouts and receivers that wait; 0 seconds where there is none. */
export type WaitingState = {
  submittedAgeSeconds: Record<"test" | "live", number>;
  dueAgeSeconds: Record<"test" | "live", number>;
  reviewAgeSeconds: number;
};
/** Of all subaccounts of a mode, in minor units. */
export type BalanceSum = { mode: string; currency: string } & Record<
  "available" | "held" | "in_transit",
  number
>;
export type BankState = {
  /** Until the nearest cut-off of a file that is not sent, negative after it. Undefined: every file is sent. */
  unsentUntilCutoffSeconds: number | undefined;
  /** 0 seconds where there is no folder. */
  oldestPollAgeSeconds: number;
  filesRefused: number;
};
/** A collector may wait for the database, but a scrape must not: after this time it continues without the value. */
const collectMs = 2_000;
const methods = new Set(["GET", "HEAD", "POST", "PATCH", "DELETE", "PUT", "OPTIONS"]);

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  const collectors: (() => Promise<void> | void)[] = [];

  /** Before the registry reads: one collector may set several metrics. */
  async function collect(): Promise<void> {
    await Promise.all(collectors.map((run) => run()));
  }

  const optionsOf = (name: Name) => {
    const { help, labels = [] }: MetricDefinition = metricTable[name];
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

  const retained = counters("disburse_retention_rows_total");
  for (const kind of ["payouts", "bankFiles", "audit", "screening"]) retained.of(kind);
  const oldestKept = gauge("disburse_retention_oldest_age_seconds");
  const keptFor = gauge("disburse_retention_kept_seconds");
  const misrouted = counters("disburse_misrouted_requests_total").of();

  const unreadable = counters("disburse_values_unreadable_total").of();

  const moves = counters("disburse_payout_moves_total");
  const setAside = gauge("disburse_payouts_set_aside");
  const unconfirmed = gauge("disburse_payouts_unconfirmed");
  const onHold = gauge("disburse_payouts_on_hold");
  const oldestHold = gauge("disburse_payouts_oldest_hold_age_seconds");
  const oldestSubmitted = gauge("disburse_payouts_oldest_submitted_age_seconds");
  const oldestDue = gauge("disburse_payouts_oldest_due_age_seconds");
  const oldestApproval = gauge("disburse_approvals_oldest_age_seconds");
  const expired = counters("disburse_approvals_expired_total");
  const oldestReview = gauge("disburse_receivers_oldest_review_age_seconds");
  const balances = gauge("disburse_balance_minor_units");
  const cutoffLeft = gauge("disburse_bank_batches_cutoff_left_seconds");
  const bankSends = counters("disburse_bank_sends_total");
  // Created at the start with zero, so that the first one counts as an increase.
  for (const outcome of bankSendOutcomes) bankSends.of(outcome);
  const bankPolls = counters("disburse_bank_polls_total");
  for (const outcome of bankPollOutcomes) bankPolls.of(outcome);
  const oldestPoll = gauge("disburse_bank_polls_oldest_age_seconds");
  const filesRefused = gauge("disburse_bank_files_refused");
  const suspense = gauge("disburse_suspense_items");
  const suspenseAge = gauge("disburse_suspense_oldest_age_seconds");
  const recordsBehind = gauge("disburse_screening_records_behind");
  const oldestHit = gauge("disburse_screening_oldest_hit_age_seconds");
  const listGauges = {
    ageSeconds: gauge("disburse_screening_list_age_seconds"),
    entries: gauge("disburse_screening_list_entries"),
    waiting: gauge("disburse_screening_list_waiting"),
    refused: gauge("disburse_screening_list_refused"),
  };
  const attempts = counters("disburse_delivery_attempts_total");
  // Created at the start with zero, so that the first attempt counts as an increase.
  for (const outcome of deliveryOutcomes) attempts.of(outcome);
  const firstAttempt = histograms("disburse_delivery_first_attempt_seconds").of();
  const acknowledged = histograms("disburse_delivery_acknowledged_seconds").of();
  const oldestAge = gauge("disburse_delivery_oldest_age_seconds");
  const lanes = gauge("disburse_delivery_lanes");
  const failing = gauge("disburse_endpoints_failing");
  const unreadableSecrets = gauge("disburse_endpoints_secret_unreadable");
  const claimDuration = histograms("disburse_delivery_claim_duration_seconds").of();
  const ackBatchSize = histograms("disburse_delivery_ack_batch_size").of();
  const atRest = counters("disburse_delivery_at_rest_total").of();
  const duplicates = counters("disburse_delivery_duplicate_sends_total").of();
  const endpointsDisabled = counters("disburse_endpoints_disabled_total");
  for (const cause of ["failing", "gone", "secret"]) endpointsDisabled.of(cause);
  const pool = gauge("disburse_db_pool");
  const batchSizes = histograms("disburse_batch_size");
  const requestRows = counters("disburse_request_log_rows_total").of();
  const requestDrops = counters("disburse_request_log_dropped_total");
  for (const reason of ["full", "refused", "unproven"]) requestDrops.of(reason);
  const auditHead = gauge("disburse_audit_head_number");
  const backupPoint = gauge("disburse_backup_point_seconds");
  const underOldKeys = gauge("disburse_values_under_old_keys");
  const ready = gauge("disburse_ready");
  gauge("disburse_build_info").set({ version, node: process.versions.node, commit }, 1);
  const processes = gauge("disburse_processes");
  // Alone, until a supervisor sets it.
  processes.set({ state: "ready" }, 1);
  const restarts = counters("disburse_process_restarts_total").of();
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

    misroutedRequest: (): void => misrouted.add(),
    unreadableValue: (): void => unreadable.add(),

    payoutsMoved(toStages: readonly string[]): void {
      for (const stage of toStages) moves.of(stage).add();
    },

    /** Called on each scrape. */
    collectPayouts(read: () => Promise<PayoutState>): void {
      collectors.push(async () => {
        for (const one of [setAside, unconfirmed, onHold, oldestHold]) one.remove();
        const state = await inTime(read);
        if (!state) return;
        onHold.set(state.onHold);
        oldestHold.set(state.oldestHoldAgeSeconds);
        setAside.set(state.setAside);
        unconfirmed.set(state.unconfirmed);
      });
    },

    /** Called on each scrape. */
    collectWaiting(read: () => Promise<WaitingState>): void {
      collectors.push(async () => {
        for (const one of [oldestSubmitted, oldestDue]) one.reset();
        oldestReview.remove();
        const state = await inTime(read);
        if (!state) return;
        setEach(oldestSubmitted, "mode", state.submittedAgeSeconds);
        setEach(oldestDue, "mode", state.dueAgeSeconds);
        oldestReview.set(state.reviewAgeSeconds);
      });
    },

    /** Called on each scrape. By kind, in seconds. */
    collectApprovals(read: () => Promise<Record<string, number>>): void {
      collectors.push(async () => {
        oldestApproval.reset();
        setEach(oldestApproval, "kind", (await inTime(read)) ?? {});
      });
    },

    approvalsExpired: (kind: string, count: number): void => expired.of(kind).add(count),

    /** Called on each scrape. */
    collectBalances(read: () => Promise<BalanceSum[]>): void {
      collectors.push(async () => {
        balances.reset();
        for (const { mode, currency, ...parts } of (await inTime(read)) ?? []) {
          for (const [part, value] of Object.entries(parts)) {
            balances.set({ mode, currency, part }, value);
          }
        }
      });
    },

    bankSend: (outcome: BankSendOutcome): void => bankSends.of(outcome).add(),
    bankPoll: (outcome: BankPollOutcome): void => bankPolls.of(outcome).add(),
    /** Called on each scrape. */
    collectBanks(read: () => Promise<BankState>): void {
      collectors.push(async () => {
        for (const one of [cutoffLeft, oldestPoll, filesRefused]) one.remove();
        const state = await inTime(read);
        if (!state) return;
        if (state.unsentUntilCutoffSeconds !== undefined) {
          cutoffLeft.set(state.unsentUntilCutoffSeconds);
        }
        oldestPoll.set(state.oldestPollAgeSeconds);
        filesRefused.set(state.filesRefused);
      });
    },

    /** Called on each scrape. */
    collectDataKeys(read: () => readonly { values_left: string | null }[]): void {
      collectors.push(() => {
        const left = read().map(({ values_left }) => Number(values_left));
        underOldKeys.set(left.reduce((sum, count) => sum + count, 0));
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

    /** Called on each scrape. */
    collectScreening(
      read: () => Promise<{ recordsBehind: number; oldestHitAgeSeconds: number }>,
    ): void {
      collectors.push(async () => {
        for (const one of [recordsBehind, oldestHit]) one.remove();
        const state = await inTime(read);
        if (!state) return;
        recordsBehind.set(state.recordsBehind);
        oldestHit.set(state.oldestHitAgeSeconds);
      });
    },

    /** Called on each scrape. */
    collectLists(read: () => Promise<ListState[]>): void {
      collectors.push(async () => {
        for (const one of Object.values(listGauges)) one.reset();
        for (const { list, ...values } of (await inTime(read)) ?? []) {
          for (const [name, value] of Object.entries(values)) {
            listGauges[name as keyof typeof listGauges].set({ list }, value);
          }
        }
      });
    },

    deliveryAttempt: (outcome: DeliveryOutcome): void => attempts.of(outcome).add(),
    /** Seconds since the commit of the event. */
    deliveryFirstAttempt: (seconds: number): void => firstAttempt.observe(seconds),
    deliveryAcknowledged: (seconds: number): void => acknowledged.observe(seconds),
    deliveryClaim: (seconds: number): void => claimDuration.observe(seconds),
    deliveryAckBatch: (size: number): void => ackBatchSize.observe(size),
    deliveryAbandoned: (count = 1): void => atRest.add(count),
    deliveryDuplicate: (): void => duplicates.add(),
    endpointDisabled: (cause: string): void => endpointsDisabled.of(cause).add(),
    /** Called on each scrape, so it must not count the rows of a whole table. */
    collectDelivery(read: () => Promise<DeliveryState> | DeliveryState): void {
      collectors.push(async () => {
        oldestAge.remove();
        lanes.reset();
        failing.reset();
        unreadableSecrets.remove();
        const state = await inTime(read);
        if (!state) return;
        oldestAge.set(state.oldestAgeSeconds ?? 0);
        setEach(lanes, "state", state.lanes);
        setEach(failing, "for", state.failing);
        unreadableSecrets.set(state.unreadableSecrets);
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
    /** Undefined: there is none. */
    backupPoint: (atMs: number | undefined): void =>
      atMs === undefined ? backupPoint.remove() : backupPoint.set(atMs / 1000),
    /** Called on each scrape. */
    collectRetention(
      read: () => readonly { kind: string; oldestAgeSeconds: number; keptSeconds: number }[],
    ): void {
      collectors.push(() => {
        for (const { kind, oldestAgeSeconds, keptSeconds } of read()) {
          oldestKept.set({ kind }, oldestAgeSeconds);
          keptFor.set({ kind }, keptSeconds);
        }
      });
    },
    retentionRemoved: (kind: string, rows: number): void => retained.of(kind).add(rows),

    /** Called on each scrape. */
    collectReady(read: () => Promise<boolean>): void {
      collectors.push(async () => ready.set((await inTime(read)) ? 1 : 0));
    },

    collectProcesses: (read: () => ProcessStates): void =>
      void collectors.push(() => setEach(processes, "state", read())),
    processRestarted: (): void => restarts.add(),

    contentType: registry.contentType,
    async text(): Promise<string> {
      await collect();
      return registry.metrics();
    },
    /** The same as values, for `mergeMetrics`. */
    async families(): Promise<MetricFamily[]> {
      await collect();
      return registry.getMetricsAsJSON() as Promise<object[]> as Promise<MetricFamily[]>;
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
