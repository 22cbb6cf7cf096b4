// /api/event: list events and their deliveries, resend, recover, send test events, and read the feed.

import type { FastifyReply } from "fastify";
import Type from "typebox";
import { type Clock, whoOf } from "../../../platform/base/index.ts";
import { tracedFor } from "../../../platform/batching/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import { readEventId } from "../../../platform/event-catalogue/index.ts";
import {
  type Api,
  ById,
  codesOf,
  linkNextPage,
  sendWritten,
  success,
} from "../../../platform/http/index.ts";
import { once } from "../../../platform/idempotency/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { problem, Refusal } from "../../../platform/refusals/index.ts";
import {
  AnnouncedTestEvent,
  EventDetail,
  EventFilter,
  EventRecord,
  EventRecovery,
  EventResend,
  FeedFilter,
  type Feeds,
  findEvent,
  insertTestEvent,
  listEventPage,
  listFurtherDeliveries,
  resendEvent,
  StartedRecovery,
  startRecovery,
  TestEvent,
  toEventPage,
  toRecord,
} from "../../../webhooks/events/index.ts";

const tags = ["Events"];

export function eventRoutes(
  api: Api,
  { db, clock, feeds }: { db: Db; clock: Clock; feeds: Feeds },
): void {
  api.get(
    "/api/event",
    {
      config: {
        failure: "get events failed",
        scope: "read",
        refusals: [...codesOf(EventFilter), "EVNT409"],
      },
      schema: {
        operationId: "listEvents",
        tags,
        summary: "List events",
        description:
          `Of the last ${limits.eventKeptDays} days, newest first. The link header names the next page. ` +
          "With a filter that matches few events, a page can be short or empty and still have a next page.",
        querystring: EventFilter,
        response: { 200: success(Type.Array(EventRecord)) },
      },
    },
    async ({ caller, query }, reply) => {
      const { rows, next } = await listEventPage(
        tracedFor(db, caller),
        toEventPage(caller.subaccountId, query),
      );
      linkNextPage(reply, "/api/event", query, next);
      return { message: "get events successful", payload: rows.map(toRecord) };
    },
  );

  api.get(
    "/api/event/feed",
    {
      // A HEAD request would open a feed that is never read.
      exposeHeadRoute: false,
      config: {
        failure: "open event feed failed",
        scope: "read",
        stream: true,
        refusals: [...codesOf(FeedFilter), "EVNT409", "EVNT302"],
      },
      schema: {
        operationId: "listenToEvents",
        tags,
        summary: "Stream events as they happen",
        description:
          "Server-sent events: `id`, `event` (the type) and `data` (the body). Delivery is at " +
          "least once: after a reconnect with `last-event-id` the stream starts a little " +
          "before that event, so some events can arrive twice. A comment `: resent` precedes " +
          "an event that was resent.",
        querystring: FeedFilter,
        response: {
          200: {
            description: "The stream, until either side ends it",
            content: { "text/event-stream": { schema: Type.String() } },
          },
        },
      },
    },
    async ({ caller, query, headers }, reply) => {
      const header = headers["last-event-id"] || query.last_event_id;
      const lastEventId = typeof header === "string" ? readEventId(header) : undefined;
      if (header && !lastEventId) throw new Refusal([problem("EVNT410", "last_event_id")]);
      const { subaccountId, key } = caller;
      const stream = await feeds.open({ subaccountId, key, lastEventId });
      return (reply as unknown as FastifyReply)
        .header("content-type", "text/event-stream")
        .send(stream) as never;
    },
  );

  api.get(
    "/api/event/:id",
    {
      config: { failure: "get event failed", scope: "read", refusals: ["EVNT101"] },
      schema: {
        operationId: "getEvent",
        tags,
        summary: "Get event by id, with every delivery attempt",
        params: ById,
        response: { 200: success(EventDetail) },
      },
    },
    async ({ caller, params }) => {
      const id = readEventId(params.id);
      const { subaccountId } = caller;
      const event = id ? await findEvent(tracedFor(db, caller), { subaccountId, id }) : undefined;
      if (!event) throw new Refusal("EVNT101");
      const { row, attempts } = event;
      const further = await listFurtherDeliveries(tracedFor(db, caller), {
        subaccountId,
        id: row.id,
      });
      const payload = {
        ...toRecord(row),
        body: row.body,
        ...(further.length > 0 && { further_deliveries: further }),
        attempts,
      };
      return { message: "get event successful", payload };
    },
  );

  api.post(
    "/api/event/:id/resend",
    {
      config: {
        failure: "resend event failed",
        scope: "write",
        badBody: "EVNT207",
        emptyBody: true,
        refusals: ["EVNT101", "EVNT206", "EVNT207", "EVNT209", "ENDP101"],
      },
      schema: {
        operationId: "resendEvent",
        tags,
        summary: "Resend an event",
        description:
          "With the same id and the same body, to all webhook endpoints that get its type, or to one. An event " +
          "that waits for a retry is sent at once.",
        params: ById,
        body: EventResend,
        response: { 200: success(EventRecord) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const id = readEventId(params.id);
      if (!id) throw new Refusal("EVNT101");
      const { endpoint_id: endpointId } = body;
      const key = { subaccountId: caller.subaccountId, id };
      const written = await once(db, caller, async (tx) => ({
        message: "event resent successfully",
        payload: toRecord(
          await resendEvent(tx, key, { who: whoOf(caller), nowMs: clock(), endpointId }),
        ),
      }));
      return sendWritten(reply, written);
    },
  );

  api.post(
    "/api/event/recover",
    {
      config: {
        failure: "recover events failed",
        scope: "write",
        badBody: "EVNT207",
        refusals: [...codesOf(EventRecovery), "EVNT206", "EVNT207", "EVNT301", "ENDP101"],
      },
      schema: {
        operationId: "recoverEvents",
        tags,
        summary: "Resend the undelivered events of a time range",
        description:
          "In order, about 1,000 a second, in the background, to all webhook endpoints or to one. Events that wait for a retry are " +
          "sent at once.",
        body: EventRecovery,
        response: { 200: success(StartedRecovery) },
      },
    },
    async ({ caller, body }, reply) => {
      const written = await once(db, caller, async (tx) => ({
        message: "recovery started successfully",
        payload: await startRecovery(tx, caller.subaccountId, body, {
          who: whoOf(caller),
          nowMs: clock(),
        }),
      }));
      return sendWritten(reply, written);
    },
  );

  api.post(
    "/api/event/test",
    {
      config: {
        failure: "test event failed",
        scope: "write",
        badBody: "EVNT207",
        emptyBody: true,
        refusals: [...codesOf(TestEvent), "EVNT206", "EVNT207", "EVNT208"],
      },
      schema: {
        operationId: "announceTestEvent",
        tags,
        summary: "Send a test event",
        description:
          "A sample event with invented ids, delivered like any other event. Its id begins " +
          "with `evt_test_`, also in the signed `webhook-id` header. For a live subaccount, " +
          "the key also needs the scope `payout`.",
        body: TestEvent,
        response: { 200: success(AnnouncedTestEvent) },
      },
    },
    async ({ caller, body }, reply) => {
      if (caller.mode === "live" && !caller.scopes?.has("payout")) throw new Refusal("AUTH110");
      const written = await once(db, caller, async (tx) => ({
        message: "test event announced successfully",
        payload: await insertTestEvent(tx, caller.subaccountId, body, clock()),
      }));
      return sendWritten(reply, written);
    },
  );
}
