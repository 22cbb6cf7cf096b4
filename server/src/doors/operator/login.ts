// POST /operator/v1/login: a command line asks to sign in. POST /operator/v1/login/token: it asks whether the user has
// confirmed it. POST /operator/v1/logout: its session ends.

import Type from "typebox";
import type { Clock } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { input, required } from "../../platform/fields/index.ts";
import type { Api } from "../../platform/http/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { askLogin, endSession, redeemLogin } from "../../tenants/users/index.ts";

type LoginParts = { db: Db; seal: Seal; clock: Clock; consoleUrl: () => string };

const path = "/operator/v1/login";

/** A name without spaces: it can't read like a sentence. */
const Client = input({
  client: required(Type.String({ minLength: 1, maxLength: 60, pattern: "^[A-Za-z0-9._-]+$" })),
});
const Device = input({ device_code: required(Type.String({ minLength: 1, maxLength: 100 })) });

const Asked = Type.Object({
  device_code: Type.String(),
  code: Type.String({ description: "The user types it at the console" }),
  url: Type.String(),
  expires_at: Type.Number(),
  poll_ms: Type.Number(),
});
const Outcome = Type.Object({
  status: Type.String({ enum: ["waiting", "signed-in"] }),
  token: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  expires_at: Type.Optional(Type.Number()),
});

export function loginRoutes(api: Api, parts: LoginParts): void {
  const { db, clock, consoleUrl } = parts;

  api.post(
    path,
    { config: { open: true }, schema: { body: Client, response: { 200: Asked } } },
    async ({ body: { client }, ip }) => {
      const asked = await askLogin(db, { client, ip, nowMs: clock() });
      const url = `${consoleUrl()}/console/command-line`;
      return { ...asked, url, poll_ms: limits.loginPollMs };
    },
  );

  api.post(
    `${path}/token`,
    { config: { open: true }, schema: { body: Device, response: { 200: Outcome } } },
    async ({ body, ip, id: requestId }) => {
      const asked = { deviceCode: body.device_code, nowMs: clock(), ip, requestId };
      const outcome = await redeemLogin(parts, asked);
      return outcome === "waiting" ? { status: outcome } : { status: "signed-in", ...outcome };
    },
  );

  api.post("/operator/v1/logout", { config: { may: "read" } }, async ({ access }, reply) => {
    // An operator token is ended by an admin.
    if (!access.session.token?.isLogin) throw new Refusal("OPER105");
    await endSession.perform(parts, access, { id: access.session.id });
    return reply.code(204).send();
  });
}
