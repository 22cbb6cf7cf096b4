// /console/api/s/<id>/events, /attempts and /recoveries: events, their deliveries, and sending them again

import { cursorOfId, cutPage } from "../../../platform/db/index.ts";
import { eventName, readEventId } from "../../../platform/event-catalogue/index.ts";
import { type Api, ById } from "../../../platform/http/index.ts";
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
import { actRoute, actRouteForEach } from "../act-route.ts";
import { listRoute } from "../list-route.ts";
import { inSubaccount } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { toAttemptLine, toAttemptPage, toEventLine, toRecovery } from "./present.ts";
import { findLastAttempt, listAttemptPage, listSigningSecrets } from "./queries.ts";
import {
  AttemptFilter,
  AttemptLine,
  EventFacts,
  EventLine,
  Recoveries,
  Recovery,
  RecoveryQuestion,
  SortedEventFilter,
} from "./schema.ts";
import { attemptSigner } from "./sign-attempt.ts";

const base = "/console/api/s/:subaccountId";

export function consoleEventRoutes(api: Api, parts: WriteParts): void {
  const { db, seal, clock } = parts;

  async function recoveriesOf({ id }: { id: string }): Promise<Recoveries> {
    return { rows: (await listRecoveries(db, id)).map(toRecovery) };
  }

  listRoute(api, `${base}/events`, {
    query: SortedEventFilter,
    row: EventLine,
    find({ subaccountId, query: { sort, ...filter }, size }) {
      const pageOf = sort === "created" ? toOldestEventPage : toEventPage;
      return listEventPage(db, pageOf(subaccountId, { ...filter, limit: String(size) }));
    },
    present: (rows) => rows.map(toEventLine),
    csv: { name: "events", query: EventFilter },
  });

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

  listRoute(api, `${base}/attempts`, {
    query: AttemptFilter,
    row: AttemptLine,
    async find({ subaccountId, query, size }) {
      const page = toAttemptPage(subaccountId, query);
      return cutPage(await listAttemptPage(db, page), size, cursorOfId, () =>
        query.outcome ? findLastAttempt(db, page) : undefined,
      );
    },
    present: (rows) => rows.map(toAttemptLine),
    csv: { name: "attempts", query: AttemptFilter },
  });

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
