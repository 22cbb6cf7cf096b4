// Passkeys: add one, sign in with one, confirm an identity with one, set up an account with one.

import type { FastifyRequest } from "fastify";
import { newId } from "../../../platform/base/index.ts";
import type { Api } from "../../../platform/http/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { deleteSession, listPasskeys } from "../../../tenants/user-records/index.ts";
import {
  acceptInvitation,
  addPasskey,
  authPath,
  challengePath,
  deletePasskey,
  readInvitation,
  settingUpByPasskey,
  stepUpBy,
} from "../../../tenants/users/index.ts";
import { askLibrary, type LibraryRequest } from "./library.ts";
import { acceptedFrom, entered, type LoginParts } from "./routes.ts";
import {
  Assertion,
  LoggedIn,
  NewPasskey,
  PasskeyList,
  PasskeySetUp,
  PasskeySetUpStart,
  WhichPasskey,
} from "./schema.ts";

export function passkeyRoutes(api: Api, parts: LoginParts): void {
  const { db, clock, login } = parts;

  async function ask(request: FastifyRequest, question: LibraryRequest) {
    const answer = await askLibrary(await login.auth(), request, question);
    if (answer.status !== 200 || !answer.json) throw new Refusal("CONS206");
    return { ...answer, json: answer.json };
  }

  /** Refuses a challenge that was used before or is too old. */
  async function askAboutAssertion(request: FastifyRequest, body: Assertion) {
    const { id } = body.response;
    if (!(await login.challenges.redeem(request.headers.cookie, id))) throw new Refusal("CONS206");
    return ask(request, { method: "POST", path: "/passkey/verify-authentication", body });
  }

  api.get(
    `${authPath}/passkey/generate-register-options`,
    { config: { may: "read", stepUp: true } },
    async (request, reply) => {
      const path = "/passkey/generate-register-options";
      const { json, cookies } = await ask(request, { method: "GET", path });
      return reply.header("set-cookie", cookies).send(json);
    },
  );

  api.get(authPath + challengePath, { config: { open: true } }, async (request, reply) => {
    const { json } = await ask(request, { method: "GET", path: challengePath });
    const cookie = login.challenges.issue(String(json.challenge));
    return reply.header("set-cookie", cookie).send(json);
  });

  api.post(
    `${authPath}/passkey/verify-registration`,
    {
      config: { may: "read", stepUp: true },
      schema: { body: NewPasskey, response: { 200: PasskeyList } },
    },
    async (request) => {
      const { access, body } = request;
      const path = "/passkey/verify-registration";
      const { json } = await ask(request as FastifyRequest, { method: "POST", path, body });
      await addPasskey.perform(parts, access, { id: String(json.id) });
      return passkeysOf(access.user.id);
    },
  );

  api.get(
    `${authPath}/passkey/list-user-passkeys`,
    { config: { may: "read" }, schema: { response: { 200: PasskeyList } } },
    ({ access }) => passkeysOf(access.user.id),
  );

  api.post(
    `${authPath}/passkey/delete-passkey`,
    {
      config: { may: "read", stepUp: true },
      schema: { body: WhichPasskey, response: { 200: PasskeyList } },
    },
    async (request) => {
      const { access, body } = request;
      const own = await listPasskeys(db, access.user.id);
      if (!own.some(({ id }) => id === body.id)) throw new Refusal("CONS110");
      const path = "/passkey/delete-passkey";
      await ask(request as FastifyRequest, { method: "POST", path, body });
      await deletePasskey.perform(parts, access, body);
      return passkeysOf(access.user.id);
    },
  );

  api.post(
    `${authPath}/passkey/verify-authentication`,
    { config: { open: true }, schema: { body: Assertion, response: { 200: LoggedIn } } },
    async (request, reply) => {
      const plain = request as FastifyRequest;
      const { cookies } = await askAboutAssertion(plain, request.body);
      await entered(parts, plain, reply, { cookies, by: "passkey", otherwise: "CONS206" });
      return { logged_in: true };
    },
  );

  api.post(
    "/console/api/step-up/passkey",
    { config: { may: "read" }, schema: { body: Assertion, response: { 204: {} } } },
    async (request, reply) => {
      const { access, body } = request;
      const { json } = await askAboutAssertion(request as FastifyRequest, body);
      // The library treats it as a sign-in. We only check that it is the same user.
      const { id, userId } = json.session as { id: string; userId: string };
      await deleteSession(db, { id });
      if (userId !== access.user.id) throw new Refusal("CONS206");
      await stepUpBy(parts, access, "passkey");
      return reply.code(204).send();
    },
  );

  /** A browser may have a session of somebody else. The new user is not theirs. */
  function withoutSession({ headers, ip }: FastifyRequest): FastifyRequest {
    const { name } = login.cookie();
    const own = (headers.cookie ?? "").split("; ").filter((one) => !one.startsWith(`${name}=`));
    return { headers: { ...headers, cookie: own.join("; ") }, ip } as FastifyRequest;
  }

  async function newUserOf({ token, name, email }: { token: string; name: string; email: string }) {
    const invited = await readInvitation(db, { token, nowMs: clock() });
    return { id: newId(), name: invited.email || email, displayName: name };
  }

  api.post(
    "/console/api/set-up/passkey-options",
    { config: { open: true }, schema: { body: PasskeySetUpStart } },
    async (request, reply) => {
      const setUp = { user: await newUserOf(request.body), accept: noUser };
      const question = { method: "GET", path: "/passkey/generate-register-options" } as const;
      const { json, cookies } = await settingUpByPasskey(setUp, () =>
        ask(withoutSession(request as FastifyRequest), question),
      );
      return reply.header("set-cookie", cookies).send(json);
    },
  );

  api.post(
    "/console/api/set-up/passkey",
    { config: { open: true }, schema: { body: PasskeySetUp, response: { 200: LoggedIn } } },
    async (request, reply) => {
      const { response, ...given } = request.body;
      const plain = request as FastifyRequest;
      const from = acceptedFrom(parts, plain);
      const accept = async () => (await acceptInvitation(parts, given, from)).userId;
      const setUp = { user: await newUserOf(given), accept };
      const body = { response, name: "First passkey", createSession: true };
      const question = { method: "POST", path: "/passkey/verify-registration", body } as const;
      const { cookies } = await settingUpByPasskey(setUp, () =>
        ask(withoutSession(plain), question),
      );
      await entered(parts, plain, reply, { cookies, by: "passkey", otherwise: "CONS206" });
      return { logged_in: true };
    },
  );

  async function passkeysOf(userId: string) {
    const rows = await listPasskeys(db, userId);
    return {
      rows: rows.map(({ id, name, createdAtMs }) => ({ id, name, created_at: createdAtMs })),
    };
  }
}

/** Only the options are asked for. */
async function noUser(): Promise<string> {
  throw new Refusal("CONS203");
}
