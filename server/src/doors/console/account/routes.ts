// /console/api/step-up, /password and /sessions: a user's own password, passkeys and sessions.

import { type Clock, isUuid } from "../../../platform/base/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { may } from "../../../tenants/roles/index.ts";
import {
  findPasswordHash,
  listPasskeys,
  listSessions,
} from "../../../tenants/user-records/index.ts";
import {
  changePassword,
  endSession,
  type LogIn,
  stepUpByPassword,
} from "../../../tenants/users/index.ts";
import { sessionRow } from "./present.ts";
import { NewPassword, SessionList, StepUp, StepUpWays } from "./schema.ts";

type OwnAccountParts = { db: Db; seal: Seal; clock: Clock; login: LogIn };

export function ownAccountRoutes(api: Api, parts: OwnAccountParts): void {
  const { db, seal, clock, login } = parts;

  api.get(
    "/console/api/step-up",
    { config: { may: "read" }, schema: { response: { 200: StepUpWays } } },
    async ({ access: { user } }) => ({
      password: (await findPasswordHash(db, user.id)) !== undefined,
      passkey: (await listPasskeys(db, user.id)).length > 0,
      oidc: login.oidc ? { name: login.oidc.name } : null,
    }),
  );

  api.post(
    "/console/api/step-up",
    { config: { may: "read" }, schema: { body: StepUp } },
    async ({ access, body }, reply) => {
      await stepUpByPassword(parts, access.session, access.actor, body.password);
      return reply.code(204).send();
    },
  );

  api.post(
    "/console/api/password",
    { config: { may: "read", stepUp: true }, schema: { body: NewPassword } },
    async ({ access, body }, reply) => {
      await changePassword(parts, access.session, access.actor, body.password);
      return reply.code(204).send();
    },
  );

  api.get(
    "/console/api/sessions",
    { config: { may: "read" }, schema: { response: { 200: SessionList } } },
    async ({ access: { session } }) => {
      const rows = await listSessions(db, { userId: session.user.id, nowMs: clock() });
      return { rows: rows.map((row) => sessionRow(row, session.id)) };
    },
  );

  // Users end their own sessions. Admins may end any.
  api.delete("/console/api/sessions/:id", { config: { may: "read" } }, async (request, reply) => {
    const { access, params } = request;
    const { id } = params as { id: string };
    const of = may(access.user, "users.write") ? undefined : access.user.id;
    const ended = isUuid(id) && (await endSession({ db, seal }, { id, userId: of }, access.actor));
    if (!ended) throw new Refusal("CONS110");
    return reply.code(204).send();
  });
}
