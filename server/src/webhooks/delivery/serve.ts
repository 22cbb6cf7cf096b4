// Serves a claimed lane: signs and posts its events, and releases it at the end.

import { idTimeMs, newId } from "../../platform/base/index.ts";
import { batch, spanOf } from "../../platform/batching/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { eventName } from "../../platform/event-catalogue/index.ts";
import type { Metrics } from "../../platform/metrics/index.ts";
import { formatTraceparent, type TraceContext } from "../../platform/tracing/index.ts";
import type { Posted, Poster } from "../http-client/index.ts";
import { deliveryHeaders } from "../webhook-signature/index.ts";
import { type Lane, runLane, type SentDelivery } from "./lane.ts";
import {
  type ClaimedLane,
  type DueDelivery,
  type DueRequest,
  listDueDeliveries,
  type Release,
  releaseLanes,
} from "./queries.ts";
import { outcomeRecorder, secondsSinceDue, tracesOfDelivery } from "./record.ts";
import { failingSteps } from "./retry.ts";
import { signingKeys } from "./signing-keys.ts";

export type ServeParts = {
  db: Db;
  seal: Seal;
  poster: Poster;
  log: { warn(context: object, message: string): void };
  metrics?: Metrics | undefined;
  onError(error: unknown): void;
};

/** Throws where the newest secret of the lane can't be decrypted. */
export type ServeLane = (claimed: ClaimedLane) => Lane;

export function laneServer({ db, seal, poster, log, metrics, onError }: ServeParts): ServeLane {
  const { tracer } = db.listeners;
  const keysOf = signingKeys(seal);
  const record = outcomeRecorder(db, metrics);
  const fetch = batch((requests: DueRequest[]) => listDueDeliveries(db, requests), undefined, {
    span: spanOf<DueDelivery[]>(db, "deliveries-due", (due) => due.flatMap(tracesOfDelivery)),
  });
  const releaseAll = async (releases: Release[]) => {
    for (const { subaccount_id, passed } of await releaseLanes(db, releases)) {
      const failing_for = failingSteps[passed - 1]?.[0];
      log.warn({ subaccount_id, failing_for }, "events: an endpoint does not work");
    }
    return releases.map(() => undefined);
  };
  const release = batch(releaseAll, undefined, { span: spanOf<undefined>(db, "lanes-release") });

  async function send(
    due: DueDelivery,
    url: string,
    keys: Parameters<typeof deliveryHeaders>[0],
  ): Promise<SentDelivery> {
    const attemptId = newId();
    const atMs = idTimeMs(attemptId);
    const { subaccount_id: lane, body, attempts } = due;
    const id = eventName(due.event_id);
    const timestampS = Math.floor(atMs / 1000);
    if (attempts === 0) metrics?.deliveryFirstAttempt(secondsSinceDue(due, atMs));
    const headers = deliveryHeaders(keys, { id, timestampS, body, attempt: attempts + 1 });
    if (tracer && due.traceparent) return { attemptId, posted: await postTraced() };
    return { attemptId, posted: await poster.post({ lane, url, headers, body }) };

    async function postTraced(): Promise<Posted> {
      const [parent] = tracesOfDelivery(due);
      const name = "POST webhook endpoint";
      const span = tracer?.start({ name, kind: "client", parent });
      if (span) headers.traceparent = formatTraceparent(span.context);
      const posted = await poster.post({ lane, url, headers, body });
      span?.end({
        hasFailed: posted.failure !== undefined || (posted.status ?? 0) >= 400,
        attributes: {
          "http.request.method": "POST",
          "http.response.status_code": posted.status,
          "disburse.event_id": id,
          "disburse.attempt": attempts + 1,
        },
      });
      return posted;
    }
  }

  return (claimed) => {
    const { subaccount_id: subaccountId, epoch, url } = claimed;
    const liveKeys = keysOf(claimed);
    /** The trace of the newest delivery that has one. The release of the lane belongs to it. */
    let trace: TraceContext | undefined;
    const fetchTraced = async (taken: DueRequest["taken"]) => {
      const due = await fetch({ subaccountId, epoch, taken });
      trace = due.flatMap(tracesOfDelivery).at(-1) ?? trace;
      return due;
    };
    return runLane(claimed, {
      fetch: tracer ? fetchTraced : (taken) => fetch({ subaccountId, epoch, taken }),
      send: (due) => send(due, url, liveKeys()),
      record: (due, sent, decision) => record(due, epoch, sent, decision),
      release: (state) => release({ subaccountId, epoch, ...state }, trace),
      onError,
    });
  };
}
