// A user signs in at the command line, as RFC 8628 describes: the command shows a code, the user types it at the console and
// confirms it, and the command gets a token. The code is typed, never a part of a link: a link that someone sends can't
// sign them in.

import { hash, randomBytes, randomInt } from "node:crypto";
import Type from "typebox";
import { newId } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { input, required } from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type ActBy, type ActParts, call, userSession } from "../acts/index.ts";
import { audited, recordAct, userActorName } from "../audit/index.ts";
import type { Session } from "../roles/index.ts";
import {
  deleteLoginRequest,
  findSessionByToken,
  insertLoginRequest,
  insertLoginSession,
  type LoginRequest,
  lockLoginRequest,
  lockLoginRequestOfDevice,
  lockUser,
  updateLoginRequest,
} from "../user-records/index.ts";
import { attemptSucceeded, requireFewAttempts } from "./attempts.ts";

/** Without vowels and digits: no words, and nothing that looks like another letter. */
const letters = "BCDFGHJKLMNPQRSTVWXZ";

const newCode = () => Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join("");
const hashOf = (kind: "device" | "code", text: string) =>
  hash("sha256", `${kind}:${text}`, "buffer");
/** As the user types it: in any case, with or without the hyphen. */
const readCode = (text: string) => text.toUpperCase().replace(/[\s-]/g, "");

export type AskedLogin = { device_code: string; code: string; expires_at: number };

/** `client` is what the command says of its computer: a claim. */
export async function askLogin(
  db: Db,
  { client, ip, nowMs }: { client: string; ip: string; nowMs: number },
): Promise<AskedLogin> {
  const device_code = randomBytes(32).toString("base64url");
  const code = newCode();
  const isKept = await insertLoginRequest(db, {
    ...{ id: newId(), client, ip, atMs: nowMs },
    deviceHash: hashOf("device", device_code),
    codeHash: hashOf("code", code),
  });
  if (!isKept) throw new Refusal("OPER109", { headers: { "retry-after": "60" } });
  const shown = `${code.slice(0, 4)}-${code.slice(4)}`;
  return { device_code, code: shown, expires_at: nowMs + limits.loginCodeMs };
}

const code = required(Type.String({ minLength: 1, maxLength: 20 }));
const ofLogins = {
  object: "session",
  may: "read",
  tokens: "none",
  doors: ["console"],
} as const;

/** Counts wrong codes of a user. */
async function withFewTries<Found>(
  parts: ActParts,
  by: ActBy,
  find: () => Promise<Found | undefined>,
): Promise<Found> {
  const attempt = { codesOf: userSession(by).user.id };
  await requireFewAttempts(parts, attempt);
  const found = await find();
  if (!found) throw new Refusal("CONS218");
  await attemptSucceeded(parts, attempt);
  return found;
}

/** Who asks, so that the user can compare. Reads. */
export function lookAtLogin(parts: ActParts, by: ActBy, text: string): Promise<LoginRequest> {
  const asked = { codeHash: hashOf("code", readCode(text)), nowMs: parts.clock() };
  return withFewTries(parts, by, () => lockLoginRequest(parts.db, asked));
}

export const confirmLogin = call({
  ...ofLogins,
  name: "login.confirm",
  summary: "let a command line sign in as oneself",
  stepUp: true,
  input: input({ code }),
  async perform(parts, by, { code }) {
    const { user } = userSession(by);
    await decide(parts, by, code, { userId: user.id });
  },
});

export const declineLogin = call({
  ...ofLogins,
  name: "login.decline",
  summary: "refuse a command line that asks to sign in",
  input: input({ code }),
  async perform(parts, by, { code }) {
    await decide(parts, by, code, { declinedAtMs: parts.clock() });
  },
});

async function decide(
  parts: ActParts,
  by: ActBy,
  text: string,
  decision: { userId?: string; declinedAtMs?: number },
): Promise<void> {
  const asked = { codeHash: hashOf("code", readCode(text)), nowMs: parts.clock() };
  const action = decision.userId ? "login.confirm" : "login.decline";
  const { user } = userSession(by);
  await withFewTries(parts, by, () =>
    audited(parts, by.actor).transaction<LoginRequest | undefined>(
      (found) =>
        found && {
          action,
          object: { kind: "session", id: found.id },
          subaccountId: user.subaccountIds?.[0],
          after: { client: found.client, ip: found.ip_address },
        },
      async (tx) => {
        const found = await lockLoginRequest(tx, asked);
        if (found) await updateLoginRequest(tx, found.id, decision);
        return found;
      },
    ),
  );
}

export type LoginOutcome = "waiting" | { token: string; email: string; expires_at: number };

/** The command asks whether the user has confirmed it. It gets the token once. */
export async function redeemLogin(
  { db, seal }: { db: Db; seal: Seal },
  {
    deviceCode,
    nowMs,
    ...from
  }: { deviceCode: string; nowMs: number; ip: string; requestId: string },
): Promise<LoginOutcome> {
  const deviceHash = hashOf("device", deviceCode);
  return db.transaction(async (tx) => {
    const found = await lockLoginRequestOfDevice(tx, { deviceHash, nowMs });
    if (!found || found.declined_at) throw new Refusal("OPER108");
    if (!found.user_id) return "waiting";
    const user = await lockUser(tx, found.user_id);
    if (!user || user.disabled) throw new Refusal("OPER108");
    await deleteLoginRequest(tx, found.id);
    const token = `lt_${randomBytes(32).toString("base64url")}`;
    const { id, client } = { id: newId(), client: found.client };
    const login = {
      id,
      userId: found.user_id,
      token: storedLoginToken(token),
      client,
      ip: from.ip,
    };
    await insertLoginSession(tx, { ...login, atMs: nowMs });
    const actor = {
      kind: "user",
      who: userActorName(user),
      userId: found.user_id,
      ...from,
    } as const;
    const after = { by: "command line", client };
    const entry = { action: "session.start", object: { kind: "session", id }, after };
    await recordAct({ tx, seal }, { ...actor, subaccountId: user.subaccountIds?.[0] }, entry);
    return { token, email: user.email, expires_at: nowMs + limits.sessionMs };
  });
}

const storedLoginToken = (token: string) => `login:${hash("sha256", token)}`;

/** The session of a login token. Undefined if there is none, or it has ended. */
export async function findLoginSession(
  db: Db,
  { token, isUse, nowMs }: { token: string; isUse: boolean; nowMs: number },
): Promise<Session | undefined> {
  if (!/^lt_[\w-]{43}$/.test(token)) return undefined;
  const kind = "command line";
  return findSessionByToken(db, { token: storedLoginToken(token), isUse, nowMs, kind });
}
