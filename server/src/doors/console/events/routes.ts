// /console/api/s/<id>/events, /attempts and /recoveries: events, their deliveries, and sending them again

import { cursorOfId, cutPage } from "../../../platform/db/index.ts";
import { csvOf, withIsoTimes } from "../../../platform/documents/index.ts";
import { eventName, readEventId } from "../../../platform/event-catalogue/index.ts";
import { type Api, ById } from "../../../platform/http/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import {
  cancelRecovery,
  EventFilter,
  findEvent,
  listEventPage,
  listRecoveries,
  previewRecovery,
  RecoveryPreview,
  recoverEvents,
  sendEventAgain,
  toEventPage,
  toOldestEventPage,
} from "../../../webhooks/events/index.ts";
import { csvPagesOf } from "../../lists/index.ts";
import { actRoute, actRouteForEach } from "../act-route.ts";
import { inSubaccount, sendCsv } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { toAttemptLine, toAttemptPage, toEventLine, toRecovery } from "./present.ts";
import { findLastAttempt, listAttemptPage, listSigningSecrets } from "./queries.ts";
import {
  AttemptFilter,
  AttemptLine,
  AttemptLines,
  EventFacts,
  EventLine,
  EventLines,
  Recoveries,
  Recovery,
  RecoveryQuestion,
  SortedEventFilter,
} from "./schema.ts";
import { attemptSigner } from "./sign-attempt.ts";

const base = "/console/api/s/:subaccountId";

export function consoleEventRoutes(api: Api, parts: WriteParts): void {
  const { db, seal, clock } = parts;

  async function readEvents(
    subaccountId: string,
    { sort, ...filter }: SortedEventFilter,
  ): Promise<EventLines> {
    const limit = filter.limit ?? String(limits.rowsDefault);
    const { rows, next } = await listEventPage(
      db,
      sort === "created"
        ? toOldestEventPage(subaccountId, { ...filter, limit })
        : toEventPage(subaccountId, { ...filter, limit }),
    );
    return { rows: rows.map(toEventLine), next };
  }

  async function readAttempts(subaccountId: string, filter: AttemptFilter): Promise<AttemptLines> {
    const page = toAttemptPage(subaccountId, filter);
    const found = await listAttemptPage(db, page);
    const { rows, next } = await cutPage(found, page.limit - 1, cursorOfId, () =>
      filter.outcome ? findLastAttempt(db, page) : undefined,
    );
    return { rows: rows.map(toAttemptLine), next };
  }

  async function recoveriesOf({ id }: { id: string }): Promise<Recoveries> {
    return { rows: (await listRecoveries(db, id)).map(toRecovery) };
  }

  api.get(
    `${base}/events`,
    {
      config: { may: "read" },
      schema: { querystring: SortedEventFilter, response: { 200: EventLines } },
    },
    async (request) => readEvents(inSubaccount(request).subaccount.id, request.query),
  );

  api.get(
    `${base}/events.csv`,
    { config: { may: "export" }, schema: { querystring: EventFilter } },
    async (request, reply) => {
      const { id } = inSubaccount(request).subaccount;
      const pages = csvPagesOf(request.query, (page) => readEvents(id, page));
      return sendCsv(
        reply,
        "events",
        csvOf(columnsOf(EventLine), withIsoTimes(["created_at", "next_attempt_at"], pages)),
      ) as never;
    },
  );

  api.get(
    `${base}/events/:id`,
    {
      config: { may: "read" },
      schema: { params: ById, response: { 200: EventFacts } },
    },
    async (request) => {
      const subaccountId = inSubaccount(request).subaccount.id;
      const id = readEventId(request.params.id);
      const event = id ? await findEvent(db, { subaccountId, id }) : undefined;
      if (!event) throw new Refusal("CONS110");
      const { row, attempts } = event;
      const show = attemptSigner(seal, await listSigningSecrets(db, subaccountId));
      const signed = { subaccountId, id: eventName(row.id), body: row.body, nowMs: clock() };
      return {
        ...toEventLine(row),
        body: row.body,
        attempts: attempts.map((attempt) => show(attempt, signed)),
      };
    },
  );

  actRoute(api, parts, `POST ${base}/events/:id/resend`, sendEventAgain, {
    response: EventLine,
    answer: toEventLine,
  });
  actRouteForEach(api, parts, `POST ${base}/events/many/resend`, sendEventAgain);

  api.get(
    `${base}/attempts`,
    {
      config: { may: "read" },
      schema: { querystring: AttemptFilter, response: { 200: AttemptLines } },
    },
    async (request) => readAttempts(inSubaccount(request).subaccount.id, request.query),
  );

  api.get(
    `${base}/attempts.csv`,
    { config: { may: "export" }, schema: { querystring: AttemptFilter } },
    async (request, reply) => {
      const { id } = inSubaccount(request).subaccount;
      const pages = csvPagesOf(request.query, (page) => readAttempts(id, page));
      return sendCsv(
        reply,
        "attempts",
        csvOf(columnsOf(AttemptLine), withIsoTimes(["at"], pages)),
      ) as never;
    },
  );

  api.get(
    `${base}/events/recover`,
    {
      config: { may: "read" },
      schema: { querystring: RecoveryQuestion, response: { 200: RecoveryPreview } },
    },
    async (request) => {
      const { since, until, with_delivered, with_unsent } = request.query;
      const range = {
        subaccountId: inSubaccount(request).subaccount.id,
        since: Number(since),
        until: until === undefined ? undefined : Number(until),
        withDelivered: with_delivered === "true",
        withUnsent: with_unsent === "true",
      };
      return previewRecovery(db, range, clock());
    },
  );

  actRoute(api, parts, `POST ${base}/events/recover`, recoverEvents, {
    response: Recovery,
    answer: async ({ id }, { subaccount }) =>
      (await recoveriesOf(subaccount)).rows.find((one) => one.id === id),
  });

  api.get(
    `${base}/recoveries`,
    { config: { may: "read" }, schema: { response: { 200: Recoveries } } },
    (request) => recoveriesOf(inSubaccount(request).subaccount),
  );

  actRoute(api, parts, `POST ${base}/recoveries/:id/cancel`, cancelRecovery, {
    response: Recoveries,
    answer: (_, { subaccount }) => recoveriesOf(subaccount),
  });
}

function columnsOf<Fields extends object>({ properties }: { properties: Fields }) {
  return Object.keys(properties) as (keyof Fields & string)[];
}
