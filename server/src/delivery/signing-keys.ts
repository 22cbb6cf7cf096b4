// The keys that events are signed with, opened once and kept for as long as they are asked for.

import type { HmacKey } from "../api-keys/signature.ts";
import type { Seal } from "../seal.ts";
import { endpointSecretIdentity } from "../webhook-endpoints/secret.ts";
import type { ClaimedLane } from "./queries.ts";
import { webhookKey } from "./sign.ts";

const keysMax = 10_000;

export type SigningKey = { key: HmacKey; expiresAtMs: number };

/** For a lane: the keys that live at the time of asking, newest first. */
export type SigningKeys = (lane: Pick<ClaimedLane, "subaccount_id" | "secrets">) => () => HmacKey[];

export function signingKeys(seal: Seal): SigningKeys {
  const opened = new Map<string, HmacKey>();

  function open(subaccountId: string, id: string, sealed: string): HmacKey {
    const known = opened.get(id);
    if (known) return known;
    const identity = endpointSecretIdentity(subaccountId, id);
    const key = webhookKey(seal.decrypt(Buffer.from(sealed, "base64"), identity));
    if (opened.size >= keysMax) opened.clear();
    opened.set(id, key);
    return key;
  }

  return ({ subaccount_id, secrets }) => {
    const keys = (secrets ?? []).map(({ id, sealed, expires_at_ms }) => ({
      key: open(subaccount_id, id, sealed),
      expiresAtMs: expires_at_ms ?? Number.POSITIVE_INFINITY,
    }));
    return () => {
      const nowMs = Date.now();
      return keys.filter(({ expiresAtMs }) => expiresAtMs > nowMs).map(({ key }) => key);
    };
  };
}
