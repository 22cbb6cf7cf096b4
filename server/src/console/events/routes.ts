// /console/api/s/<id>/events, /attempts and /recoveries: what was told, how that went, and telling it again

import { recordAct } from "../../audit/record.ts";
import type { Clock } from "../../clock.ts";
import type { Db } from "../../db/connect.ts";
import { eventName, readEventId } from "../../events/event.ts";
import { toEventPage } from "../../events/filter.ts";
import { findEvent, findLastEventScanned, listEvents } from "../../events/list-queries.ts";
import { startRecovery } from "../../events/recover.ts";
import { resendEvent } from "../../events/resend.ts";
import { EventFilter } from "../../events/schema.ts";
import { type Api, ById } from "../../http/route.ts";
import { isUuid } from "../../ids.ts";
import { limits } from "../../limits.ts";
import { Refusal } from "../../refusals/refusals.ts";
import type { Seal } from "../../seal.ts";
import { actOf } from "../act.ts";
import { csvOf, withIsoTimes } from "../csv.ts";
import { NoFields } from "../fields.ts";
import { requireOpenSubaccount } from "../open-subaccount.ts";
import { inSubaccount, sendCsv } from "../route.ts";
import {
  attemptPagesOf,
  cutPage,
  toAttemptLine,
  toAttemptPage,
  toEventLine,
  toRecovery,
} from "./present.ts";
import {
  countToRecover,
  findLastAttempt,
  listAttemptPage,
  listRecoveries,
  listSigningSecrets,
  updateRecoveryCancelled,
} from "./queries.ts";
import {
  AttemptFilter,
  AttemptLine,
  AttemptLines,
  EventFacts,
  EventLine,
  EventLines,
  Recoveries,
  Recovery,
  RecoveryPreview,
  RecoveryQuestion,
  RecoveryWish,
} from "./schema.ts";
import { attemptSigner } from "./sign-attempt.ts";

const base = "/console/api/s/:subaccountId";

export function consoleEventRoutes(
  api: Api,
  { db, seal, clock }: { db: Db; seal: Seal; clock: Clock },
): void {
  async function readEvents(subaccountId: string, filter: EventFilter): Promise<EventLines> {
    const limit = filter.limit ?? String(limits.rowsDefault);
    const page = toEventPage(subaccountId, { ...filter, limit });
    const isSparse = Boolean(filter.type ?? filter.status);
    const { shown, next } = await cutPage(await listEvents(db, page), page.limit, async () =>
      isSparse ? findLastEventScanned(db, page) : undefined,
    );
    return { rows: shown.map(toEventLine), next };
  }

  async function readAttempts(subaccountId: string, filter: AttemptFilter): Promise<AttemptLines> {
    const page = toAttemptPage(subaccountId, filter);
    const { shown, next } = await cutPage(await listAttemptPage(db, page), page.limit, async () =>
      filter.outcome ? findLastAttempt(db, page) : undefined,
    );
    return { rows: shown.map(toAttemptLine), next };
  }

  api.get(
    `${base}/events`,
    {
      config: { may: "read" },
      schema: { querystring: EventFilter, response: { 200: EventLines } },
    },
    async (request) => readEvents(inSubaccount(request).subaccount.id, request.query),
  );

  api.get(
    `${base}/events.csv`,
    { config: { may: "export" }, schema: { querystring: EventFilter } },
    async (request, reply) => {
      const { id } = inSubaccount(request).subaccount;
      const limit = String(limits.rowsMax);
      const pages = attemptPagesOf((cursor) =>
        readEvents(id, { ...request.query, limit, ...(cursor && { cursor }) }),
      );
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
      const told = { subaccountId, id: eventName(row.id), body: row.body, nowMs: clock() };
      return {
        ...toEventLine(row),
        body: row.body,
        attempts: attempts.map((attempt) => show(attempt, told)),
      };
    },
  );

  api.post(
    `${base}/events/:id/resend`,
    {
      config: { may: "webhooks.write" },
      schema: { params: ById, body: NoFields, response: { 200: EventLine } },
    },
    async (request) => {
      const asker = requireOpenSubaccount(inSubaccount(request));
      const id = readEventId(request.params.id);
      if (!id) throw new Refusal("CONS110");
      const key = { subaccountId: asker.subaccount.id, id };
      return db.transaction(async (tx) => {
        await resendEvent(tx, key, { who: asker.who, nowMs: clock() });
        const doing = { action: "event.resend", object: { kind: "event", id } };
        await recordAct({ tx, seal }, actOf(asker, doing));
        const event = await findEvent(tx, key);
        if (!event) throw new Refusal("CONS110");
        return toEventLine(event.row);
      });
    },
  );

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
      const limit = String(limits.rowsMax);
      const pages = attemptPagesOf((cursor) =>
        readAttempts(id, { ...request.query, limit, ...(cursor && { cursor }) }),
      );
      return sendCsv(
        reply,
        "attempts",
        csvOf(columnsOf(AttemptLine), withIsoTimes(["at"], pages)),
      ) as never;
    },
  );

  async function preview(
    subaccountId: string,
    wish: {
      since: number;
      until: number | undefined;
      withDelivered: boolean;
      withUnsent: boolean;
    },
  ): Promise<RecoveryPreview> {
    const nowMs = clock();
    const { withDelivered, withUnsent } = wish;
    const { count, unsent, isCapped } = await countToRecover(db, {
      ...{ subaccountId, sinceMs: wish.since, withDelivered, withUnsent },
      untilMs: Math.min(wish.until ?? nowMs, nowMs),
    });
    const needsStepUp = isCapped || count > limits.recoveryUnprovenMax;
    return { count, unsent, is_capped: isCapped, needs_step_up: needsStepUp };
  }

  api.get(
    `${base}/events/recover`,
    {
      config: { may: "read" },
      schema: { querystring: RecoveryQuestion, response: { 200: RecoveryPreview } },
    },
    async (request) => {
      const { since, until, with_delivered, with_unsent } = request.query;
      return preview(inSubaccount(request).subaccount.id, {
        since: Number(since),
        until: until === undefined ? undefined : Number(until),
        withDelivered: with_delivered === "true",
        withUnsent: with_unsent === "true",
      });
    },
  );

  api.post(
    `${base}/events/recover`,
    {
      config: { may: "webhooks.write" },
      schema: { body: RecoveryWish, response: { 200: Recovery } },
    },
    async (request) => {
      const asker = requireOpenSubaccount(inSubaccount(request));
      const { since, until } = request.body;
      const { with_delivered: withDelivered = false, with_unsent: withUnsent = false } =
        request.body;
      const subaccountId = asker.subaccount.id;
      const { count, is_capped, needs_step_up } = await preview(subaccountId, {
        ...{ since, until, withDelivered, withUnsent },
      });
      const isProven = asker.session.provenAtMs >= clock() - limits.stepUpMs;
      if (needs_step_up && !isProven) throw new Refusal("CONS103");
      const wish = { since, ...(until !== undefined && { until }) };
      return db.transaction(async (tx) => {
        const by = { who: asker.who, nowMs: clock() };
        const asked = { ...wish, include_delivered: withDelivered };
        const { id } = await startRecovery(tx, subaccountId, asked, { ...by, withUnsent });
        const included = { with_delivered: withDelivered, with_unsent: withUnsent };
        const after = { ...wish, ...included, count, is_capped };
        const doing = { action: "event.recover", object: { kind: "recovery", id }, after };
        await recordAct({ tx, seal }, actOf(asker, doing));
        const started = (await listRecoveries(tx, subaccountId)).find((one) => one.id === id);
        if (!started) throw new Error("a recovery that was just started must be listed");
        return toRecovery(started);
      });
    },
  );

  api.get(
    `${base}/recoveries`,
    { config: { may: "read" }, schema: { response: { 200: Recoveries } } },
    async (request) => {
      const rows = await listRecoveries(db, inSubaccount(request).subaccount.id);
      return { rows: rows.map(toRecovery) };
    },
  );

  api.post(
    `${base}/recoveries/:id/cancel`,
    {
      config: { may: "webhooks.write" },
      schema: { params: ById, body: NoFields, response: { 200: Recoveries } },
    },
    async (request) => {
      const asker = inSubaccount(request);
      const { id } = request.params;
      if (!isUuid(id)) throw new Refusal("CONS110");
      const subaccountId = asker.subaccount.id;
      return db.transaction(async (tx) => {
        const by = { who: asker.who, nowMs: clock() };
        if (!(await updateRecoveryCancelled(tx, { subaccountId, id }, by))) {
          throw new Refusal("CONS704");
        }
        const doing = { action: "event.recover.cancel", object: { kind: "recovery", id } };
        await recordAct({ tx, seal }, actOf(asker, doing));
        return { rows: (await listRecoveries(tx, subaccountId)).map(toRecovery) };
      });
    },
  );
}

function columnsOf<Fields extends object>({ properties }: { properties: Fields }) {
  return Object.keys(properties) as (keyof Fields & string)[];
}
