// Serves a claimed lane: signs and posts its events, and releases it at the end.

import { idTimeMs, newId } from "../../platform/base/index.ts";
import { batch, spanOf } from "../../platform/batching/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { eventName } from "../../platform/event-catalogue/index.ts";
import type { Metrics } from "../../platform/metrics/index.ts";
import { formatTraceparent, type TraceContext } from "../../platform/tracing/index.ts";
import type { Posted, Poster } from "../http-client/index.ts";
import { endpointOfLane, laneOf, readOwnHeaders } from "../webhook-endpoints/index.ts";
import { deliveryHeaders } from "../webhook-signature/index.ts";
import { type Lane, runLane, type SentDelivery } from "./lane.ts";
import type { Release } from "./outcome-queries.ts";
import type { ClaimedLane, DueDelivery, DueRequest, LaneQueries } from "./queries.ts";
import { outcomeRecorder, secondsSinceDue, tracesOfDelivery } from "./record.ts";
import { failingSteps } from "./retry.ts";
import { signingKeys, UnreadableWebhookSecret } from "./signing-keys.ts";
import { thinBody } from "./thin-body.ts";

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

/** What is the same for every event of a claimed lane. */
type Destination = {
  lane: string;
  url: string;
  isThin: boolean;
  /** The headers that the subaccount has set. */
  ownHeaders: Record<string, string> | undefined;
};

export function laneServer(
  { db, seal, poster, log, metrics, onError }: ServeParts,
  queries: LaneQueries,
): ServeLane {
  const { tracer } = db.listeners;
  const keysOf = signingKeys(seal);
  const record = outcomeRecorder(db, queries, metrics);
  const { listDueDeliveries, releaseLanes } = queries;
  const fetch = batch((requests: DueRequest[]) => listDueDeliveries(db, requests), undefined, {
    span: spanOf<DueDelivery[]>(db, "deliveries-due", (due) => due.flatMap(tracesOfDelivery)),
  });
  const releaseAll = async (releases: Release[]) => {
    for (const { subaccount_id, endpoint_id, passed } of await releaseLanes(db, releases)) {
      const failing_for = failingSteps[passed - 1]?.[0];
      const endpoint = endpoint_id && { endpoint_id };
      log.warn({ subaccount_id, ...endpoint, failing_for }, "events: an endpoint does not work");
    }
    return releases.map(() => undefined);
  };
  const release = batch(releaseAll, undefined, { span: spanOf<undefined>(db, "lanes-release") });

  async function send(
    due: DueDelivery,
    { lane, url, isThin, ownHeaders }: Destination,
    keys: Parameters<typeof deliveryHeaders>[0],
  ): Promise<SentDelivery> {
    const attemptId = newId();
    const atMs = idTimeMs(attemptId);
    const { attempts } = due;
    const id = eventName(due.event_id);
    const body = isThin ? thinBody(due) : due.body;
    const timestampS = Math.floor(atMs / 1000);
    if (attempts === 0) metrics?.deliveryFirstAttempt(secondsSinceDue(due, atMs));
    const standard = deliveryHeaders(keys, { id, timestampS, body, attempt: attempts + 1 });
    const headers = ownHeaders ? { ...ownHeaders, ...standard } : standard;
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
    const { epoch, url, format } = claimed;
    const lane = laneOf(claimed);
    const liveKeys = keysOf(claimed);
    const ownHeaders = readOwnHeaders(seal, endpointOfLane(lane), claimed.headers_sealed);
    if (ownHeaders === "unreadable") throw new UnreadableWebhookSecret(lane);
    const destination = { lane, url, isThin: format === "thin", ownHeaders };
    /** The trace of the newest delivery that has one. The release of the lane belongs to it. */
    let trace: TraceContext | undefined;
    const fetchTraced = async (taken: DueRequest["taken"]) => {
      const due = await fetch({ lane, epoch, taken });
      trace = due.flatMap(tracesOfDelivery).at(-1) ?? trace;
      return due;
    };
    return runLane(claimed, {
      fetch: tracer ? fetchTraced : (taken) => fetch({ lane, epoch, taken }),
      send: (due) => send(due, destination, liveKeys()),
      record: (due, sent, decision) => record(due, epoch, sent, decision),
      release: (state) => release({ lane, epoch, ...state }, trace),
      onError,
    });
  };
}
