// What users and commands do to API keys. A key of a user, or its new secret, may wait for a second user.

import Type from "typebox";
import type { Mode, Scope } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { input, required } from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { problem, Refusal } from "../../platform/refusals/index.ts";
import { act, type Doing } from "../acts/index.ts";
import { withdrawChangeRequests } from "../four-eyes/index.ts";
import { may } from "../roles/index.ts";
import { type ActivationParts, askForActivation, waitsForActivation } from "./activation.ts";
import { moneyScopes } from "./api-key.ts";
import { addKey } from "./create.ts";
import { type LockedKeyOf, lockKeyOf, updateKeyName, updateKeysVersion } from "./queries.ts";
import { endKey } from "./revoke.ts";
import { addWaitingSecret, replaceSecret } from "./rotate.ts";
import { IssuedSecret, KeyName, NewKeyRequest } from "./schema.ts";

const twoPeople =
  "Create a live key that may pay, write or change bank details, or rotate its secret";
const ofKeys = { object: "api_key", may: "keys.write", doors: ["console", "cli"] } as const;
const key = Type.String();

export const createApiKey = act({
  ...ofKeys,
  name: "key.create",
  summary: "create a key; its secret is shown only once",
  stepUp: true,
  twoPeople,
  in: "open subaccount",
  input: NewKeyRequest,
  output: IssuedSecret,
  async run(doing: Doing & ActivationParts, request) {
    const { tx, seal, subaccount, who, atMs } = doing;
    const { name, addresses = [], version2_only = false, expires_at } = request;
    if (expires_at !== undefined && expires_at <= atMs) {
      throw new Refusal([problem("CONS707", "expires_at")]);
    }
    const scopes = request.scopes as Scope[];
    requireMayChangeKey(doing, scopes);
    const { id: subaccountId, mode } = subaccount;
    const awaitsApproval = await waitsForActivation(tx, doing, scopes, doing);
    const { key, secret } = await addKey(tx, seal, {
      subaccountId,
      mode,
      name,
      scopes,
      addresses,
      expiresAt: expires_at === undefined ? undefined : new Date(expires_at),
      version2Only: version2_only,
      seenBy: who,
      awaitsApproval,
    });
    await updateKeysVersion(tx);
    const fields = { name, scopes, addresses, version2_only, expires_at };
    if (awaitsApproval)
      await askForActivation(tx, "key", { subaccountId, key, fields, madeBy: who });
    const result = { key, secret, awaits_approval: awaitsApproval };
    return { result, id: key, after: fields };
  },
});

/**
 * The previous secret stays valid for the grace period. Where a new key would wait for a second user, the new secret
 * waits, and the previous one stays valid until then.
 */
export const rotateApiKey = act({
  ...ofKeys,
  name: "key.rotate",
  summary: "create a new secret; the previous one stays valid for --grace",
  stepUp: true,
  twoPeople,
  in: "open subaccount",
  input: input({
    key,
    grace_ms: required(Type.Integer({ minimum: 0, maximum: limits.rotationGraceMaxMs })),
  }),
  output: IssuedSecret,
  async run(doing: Doing & ActivationParts, { key, grace_ms: graceMs }) {
    const { tx, seal, subaccount, who, atMs } = doing;
    const { name, scopes, ...locked } = await lockKeyToChange(doing, key);
    if (locked.is_revoked) throw new Refusal("CONS705");
    const about = { subaccountId: subaccount.id, kind: "rotation", objectId: key } as const;
    await withdrawChangeRequests(tx, about, { who, atMs });
    const grace_seconds = graceMs / 1000;
    // A key that waits itself works with its newest secret once it is approved.
    const waits = !locked.awaiting_approval && (await waitsForActivation(tx, doing, scopes, doing));
    const secret = waits
      ? await addWaitingSecret(tx, seal, { key, seenBy: who })
      : await replaceSecret(tx, seal, { key, graceMs, seenBy: who });
    if (waits) {
      const fields = { name, scopes, grace_seconds };
      await askForActivation(tx, "rotation", {
        subaccountId: subaccount.id,
        key,
        fields,
        madeBy: who,
      });
    }
    const awaits_approval = waits || locked.awaiting_approval;
    return {
      result: { key, secret, awaits_approval },
      id: key,
      after: { name, grace_seconds, awaits_approval },
    };
  },
});

/** Requests to activate it or its rotated secret are withdrawn. */
export const revokeApiKey = act({
  ...ofKeys,
  name: "key.revoke",
  summary: "revoke a key for good; every process refuses it within a second",
  in: "subaccount",
  input: input({ key }),
  async run(doing, { key }) {
    const { tx, subaccount, who, atMs } = doing;
    const { name } = await lockKeyToChange(doing, key);
    await endKey(tx, key);
    for (const kind of ["key", "rotation"] as const) {
      const about = { subaccountId: subaccount.id, kind, objectId: key };
      await withdrawChangeRequests(tx, about, { who, atMs });
    }
    return { result: undefined, id: key, after: { name } };
  },
});

export const renameApiKey = act({
  ...ofKeys,
  name: "key.rename",
  summary: "give a key another name",
  in: "open subaccount",
  input: input({ key, name: required(KeyName) }),
  async run(doing, { key, name }) {
    const { tx, subaccount } = doing;
    const before = await lockKeyToChange(doing, key);
    if (before.is_revoked) throw new Refusal("CONS705");
    if (before.name === name) return { result: undefined };
    await updateKeyName(tx, subaccount.id, { key, name });
    return { result: undefined, id: key, before: { name: before.name }, after: { name } };
  },
});

type Changing = Pick<Doing, "session"> & { tx: Tx; subaccount: { id: string; mode: Mode } };

/** Creating, rotating and revoking a key take the same permission of a user. */
function requireMayChangeKey({ session, subaccount }: Changing, scopes: readonly Scope[]): void {
  const isAboutMoney =
    subaccount.mode === "live" || scopes.some((scope) => moneyScopes.includes(scope));
  if (session && !may(session.user, isAboutMoney ? "keys.money" : "keys.write")) {
    throw new Refusal("CONS709");
  }
}

async function lockKeyToChange(doing: Changing, key: string): Promise<LockedKeyOf> {
  const locked = await lockKeyOf(doing.tx, doing.subaccount.id, key);
  if (!locked) throw new Refusal("CONS110");
  requireMayChangeKey(doing, locked.scopes);
  return locked;
}
