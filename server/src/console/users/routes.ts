// /console/api/people: who uses the console, and what each may do. Changed by admins.

import type { Clock } from "../../clock.ts";
import type { Db } from "../../db/connect.ts";
import type { Api } from "../../http/route.ts";
import { isUuid } from "../../ids.ts";
import { limits } from "../../limits.ts";
import { Refusal } from "../../refusals/refusals.ts";
import type { Seal } from "../../seal.ts";
import { findSubaccount } from "../../subaccounts/queries.ts";
import { changeUser } from "../../users/change.ts";
import { endSessionsOf } from "../../users/end-session.ts";
import { findFinanceApproval } from "../../users/finance-queries.ts";
import { linkOf } from "../../users/invitation.ts";
import { inviteUser } from "../../users/invite.ts";
import { listUsers } from "../../users/queries.ts";
import { resetUser } from "../../users/reset.ts";
import { listSessions } from "../../users/session-queries.ts";
import { sessionRow } from "../account/present.ts";
import { SessionList } from "../account/schema.ts";
import type { ConsoleRequest } from "../route.ts";
import { allowFinance } from "./finance-approval.ts";
import { presentUser } from "./present.ts";
import { FinanceApprovalState, Invitation, MadeLink, PersonList, PersonPatch } from "./schema.ts";

export type PeopleParts = { db: Db; seal: Seal; clock: Clock; consoleUrl: () => string };

const config = { may: "people.write" } as const;
const reading = { may: "people.read" } as const;
/** A link to somebody's log-in is as good as their password, and a role as all that it allows. */
const sensitive = { ...config, stepUp: true } as const;

export function peopleRoutes(api: Api, { db, seal, clock, consoleUrl }: PeopleParts): void {
  api.get(
    "/console/api/people",
    { config: reading, schema: { response: { 200: PersonList } } },
    async ({ asker }) => {
      const rows = await listUsers(db, clock());
      const finance = await findFinanceApproval(db);
      return { rows: rows.map((row) => presentUser(row, asker.person.id)), finance };
    },
  );

  api.put(
    "/console/api/people/finance-approval",
    { config: sensitive, schema: { body: FinanceApprovalState } },
    async ({ asker, body }, reply) => {
      const doer = { ...doerOf(asker), nowMs: clock() };
      await db.transaction((tx) => allowFinance({ tx, seal }, body.allowed, doer));
      return reply.code(204).send();
    },
  );

  api.post(
    "/console/api/people/invite",
    { config: sensitive, schema: { body: Invitation, response: { 200: MadeLink } } },
    async ({ asker, body }) => {
      const { email, name = email, role } = body;
      const subaccountIds = await subaccountsIn(body);
      const nowMs = clock();
      const wish = { email, name, role, subaccountIds };
      const { id, token } = await db.transaction((tx) =>
        inviteUser({ tx, seal }, wish, { ...doerOf(asker), nowMs }),
      );
      return madeLink(id, token, nowMs);
    },
  );

  api.patch(
    "/console/api/people/:id",
    { config: sensitive, schema: { body: PersonPatch } },
    async ({ asker, body, params }, reply) => {
      const id = otherThan(asker, params);
      const { role, disabled: isDisabled } = body;
      const change = { role, subaccountIds: await subaccountsIn(body), isDisabled };
      const doer = { ...doerOf(asker), nowMs: clock() };
      await db.transaction((tx) => changeUser({ tx, seal }, id, change, doer));
      return reply.code(204).send();
    },
  );

  api.post(
    "/console/api/people/:id/reset",
    { config: sensitive, schema: { response: { 200: MadeLink } } },
    async ({ asker, params }) => {
      const id = otherThan(asker, params);
      const nowMs = clock();
      const token = await db.transaction((tx) =>
        resetUser({ tx, seal }, id, { ...doerOf(asker), nowMs }),
      );
      return madeLink(id, token, nowMs);
    },
  );

  api.get(
    "/console/api/people/:id/sessions",
    { config: reading, schema: { response: { 200: SessionList } } },
    async ({ asker, params }) => {
      const rows = await listSessions(db, { personId: idOf(params), nowMs: clock() });
      return { rows: rows.map((row) => sessionRow(row, asker.session.id)) };
    },
  );

  api.delete("/console/api/people/:id/sessions", { config }, async ({ asker, params }, reply) => {
    await endSessionsOf({ db, seal }, idOf(params), doerOf(asker));
    return reply.code(204).send();
  });

  /** One or several, each of which there is. Undefined where none is given. */
  async function subaccountsIn({
    subaccount_id: one,
    subaccount_ids: several,
  }: {
    subaccount_id?: string | null | undefined;
    subaccount_ids?: string[] | undefined;
  }): Promise<string[] | undefined> {
    const ids = several ?? (one === undefined ? undefined : one === null ? [] : [one]);
    for (const id of ids ?? []) {
      if (!(await findSubaccount(db, id))) throw new Refusal("CONS105");
    }
    return ids?.map((id) => id.toLowerCase());
  }

  function madeLink(id: string, token: string, nowMs: number): MadeLink {
    return { id, link: linkOf(consoleUrl(), token), expires_at: nowMs + limits.invitationMs };
  }
}

function doerOf({ who, ip, requestId }: ConsoleRequest) {
  return { who, ip, requestId };
}

function idOf(params: unknown): string {
  const { id } = params as { id: string };
  if (!isUuid(id)) throw new Refusal("CONS110");
  return id.toLowerCase();
}

function otherThan({ person }: ConsoleRequest, params: unknown): string {
  const id = idOf(params);
  if (id === person.id) throw new Refusal("CONS208");
  return id;
}
