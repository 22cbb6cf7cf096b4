// /console/api/step-up, /password, /sessions and /command-line: a user's own password, passkeys, sessions, and the command
// lines that ask to sign in.

import type { Api } from "../../../platform/http/index.ts";
import {
  findPasswordHash,
  listPasskeys,
  listSessions,
} from "../../../tenants/user-records/index.ts";
import {
  changePassword,
  confirmLogin,
  declineLogin,
  endSession,
  type LogIn,
  lookAtLogin,
  stepUpByPassword,
} from "../../../tenants/users/index.ts";
import { actRoute } from "../act-route.ts";
import type { WriteParts } from "../write-parts.ts";
import { sessionRow } from "./present.ts";
import { AskingLogin, LoginCode, SessionList, StepUpWays } from "./schema.ts";

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

  const commandLine = "/console/api/command-line";
  api.post(
    `${commandLine}/look`,
    {
      config: { may: "read", tokens: "none" },
      schema: { body: LoginCode, response: { 200: AskingLogin } },
    },
    async ({ access, body, ip }) => {
      const found = await lookAtLogin(parts, access, body.code);
      const { client, ip_address, created_at, expires_at } = found;
      return {
        ...{ client, ip: ip_address, your_ip: ip },
        created_at: created_at.getTime(),
        expires_at: expires_at.getTime(),
      };
    },
  );
  actRoute(api, parts, `POST ${commandLine}/confirm`, confirmLogin);
  actRoute(api, parts, `POST ${commandLine}/decline`, declineLogin);
}
