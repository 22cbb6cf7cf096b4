// /console/api/step-up, /password and /sessions: a user's own password, passkeys and sessions.

import type { Api } from "../../../platform/http/index.ts";
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
import { actRoute } from "../act-route.ts";
import type { WriteParts } from "../write-parts.ts";
import { sessionRow } from "./present.ts";
import { SessionList, StepUpWays } from "./schema.ts";

type OwnAccountParts = WriteParts & { login: LogIn };

export function ownAccountRoutes(api: Api, parts: OwnAccountParts): void {
  const { db, clock, login } = parts;

  api.get(
    "/console/api/step-up",
    { config: { may: "read" }, schema: { response: { 200: StepUpWays } } },
    async ({ access: { user } }) => ({
      password: (await findPasswordHash(db, user.id)) !== undefined,
      passkey: (await listPasskeys(db, user.id)).length > 0,
      oidc: login.oidc ? { name: login.oidc.name } : null,
    }),
  );

  actRoute(api, parts, "POST /console/api/step-up", stepUpByPassword);
  actRoute(api, parts, "POST /console/api/password", changePassword);

  api.get(
    "/console/api/sessions",
    { config: { may: "read" }, schema: { response: { 200: SessionList } } },
    async ({ access: { session } }) => {
      const rows = await listSessions(db, { userId: session.user.id, nowMs: clock() });
      return { rows: rows.map((row) => sessionRow(row, session.id)) };
    },
  );

  actRoute(api, parts, "DELETE /console/api/sessions/:id", endSession);
}
