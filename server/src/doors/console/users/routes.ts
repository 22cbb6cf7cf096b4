// /console/api/users: the users of the console and their roles. Only admins change them.

import { isUuid } from "../../../platform/base/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { userActorName } from "../../../tenants/audit/index.ts";
import { findSubaccount } from "../../../tenants/subaccounts/index.ts";
import {
  findFinanceApproval,
  listSessions,
  listUnconfirmedUsers,
  listUsers,
} from "../../../tenants/user-records/index.ts";
import {
  changeUser,
  confirmUser,
  endSessionsOf,
  inviteUser,
  linkOf,
  resetUser,
} from "../../../tenants/users/index.ts";
import { sessionRow } from "../account/present.ts";
import { SessionList } from "../account/schema.ts";
import type { ConsoleAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import { allowFinance } from "./finance-approval.ts";
import { presentUser } from "./present.ts";
import { FinanceApprovalState, Invitation, MadeLink, UserList, UserPatch } from "./schema.ts";

type UserScreenParts = WriteParts & { consoleUrl: () => string };

const config = { may: "users.write" } as const;
const reading = { may: "users.read" } as const;
/** A sign-in link is worth as much as a password, so these routes need a recent proof. */
const sensitive = { ...config, stepUp: true } as const;

export function userRoutes(api: Api, parts: UserScreenParts): void {
  const { db, clock, consoleUrl } = parts;

  api.get(
    "/console/api/users",
    { config: reading, schema: { response: { 200: UserList } } },
    async ({ access }) => {
      const rows = await listUsers(db, clock());
      const finance = await findFinanceApproval(db);
      const unconfirmed = new Map(
        (await listUnconfirmedUsers(db)).map(({ id, granted_by }) => [id, granted_by] as const),
      );
      const yourId = access.user.id;
      return {
        rows: rows.map((row) =>
          presentUser(row, { yourId, grantedBy: unconfirmed.get(row.id) ?? [] }),
        ),
        finance,
      };
    },
  );

  api.put(
    "/console/api/users/finance-approval",
    { config: sensitive, schema: { body: FinanceApprovalState } },
    async ({ access, body }, reply) => {
      await allowFinance(parts, access.actor, body.allowed);
      return reply.code(204).send();
    },
  );

  api.post(
    "/console/api/users/invite",
    { config: sensitive, schema: { body: Invitation, response: { 200: MadeLink } } },
    async ({ access, body }) => {
      const { email, name = email, role } = body;
      const subaccountIds = await subaccountsIn(body);
      const nowMs = clock();
      const invited = { email, name, role, subaccountIds };
      const { id, token } = await inviteUser(parts, invited, access.actor, nowMs);
      return madeLink(id, token, nowMs);
    },
  );

  api.patch(
    "/console/api/users/:id",
    { config: sensitive, schema: { body: UserPatch } },
    async ({ access, body, params }, reply) => {
      const id = otherThan(access, params);
      const { role, disabled: isDisabled } = body;
      const change = { role, subaccountIds: await subaccountsIn(body), isDisabled };
      await changeUser(parts, id, change, access.actor, clock());
      return reply.code(204).send();
    },
  );

  api.post(
    "/console/api/users/:id/reset",
    { config: sensitive, schema: { response: { 200: MadeLink } } },
    async ({ access, params }) => {
      const id = otherThan(access, params);
      const nowMs = clock();
      const token = await resetUser(parts, id, access.actor, nowMs);
      return madeLink(id, token, nowMs);
    },
  );

  api.post("/console/api/users/:id/confirm", { config: sensitive }, async (request, reply) => {
    const { access, params } = request;
    const id = otherThan(access, params);
    const user = (await listUsers(db, clock())).find((one) => one.id === id);
    if (!user) throw new Refusal("CONS110");
    await confirmUser(parts, { id, who: userActorName(user) }, access.actor, clock());
    return reply.code(204).send();
  });

  api.get(
    "/console/api/users/:id/sessions",
    { config: reading, schema: { response: { 200: SessionList } } },
    async ({ access, params }) => {
      const rows = await listSessions(db, { userId: idOf(params), nowMs: clock() });
      return { rows: rows.map((row) => sessionRow(row, access.session.id)) };
    },
  );

  api.delete("/console/api/users/:id/sessions", { config }, async ({ access, params }, reply) => {
    await endSessionsOf(parts, idOf(params), access.actor);
    return reply.code(204).send();
  });

  /** The given subaccounts, which must exist. Undefined if none is given. */
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

function idOf(params: unknown): string {
  const { id } = params as { id: string };
  if (!isUuid(id)) throw new Refusal("CONS110");
  return id.toLowerCase();
}

function otherThan({ user }: ConsoleAccess, params: unknown): string {
  const id = idOf(params);
  if (id === user.id) throw new Refusal("CONS208");
  return id;
}
