// The keys that sign events: decrypted once and cached.

import type { HmacKey } from "../api-keys/signature.ts";
import type { Seal } from "../seal.ts";
import { endpointSecretIdentity } from "../webhook-endpoints/secret.ts";
import type { ClaimedLane } from "./queries.ts";
import { webhookKey } from "./sign.ts";

const keysMax = 10_000;

/** For a lane: a function that returns the keys that are valid at the time of the call, newest first. */
type SigningKeys = (lane: Pick<ClaimedLane, "subaccount_id" | "secrets">) => () => HmacKey[];

export function signingKeys(seal: Seal): SigningKeys {
  const decrypted = new Map<string, HmacKey>();

  function decrypt(subaccountId: string, id: string, sealed: string): HmacKey {
    const known = decrypted.get(id);
    if (known) return known;
    const identity = endpointSecretIdentity(subaccountId, id);
    const key = webhookKey(seal.decrypt(Buffer.from(sealed, "base64"), identity));
    if (decrypted.size >= keysMax) decrypted.clear();
    decrypted.set(id, key);
    return key;
  }

  return ({ subaccount_id, secrets }) => {
    const keys = (secrets ?? []).map(({ id, sealed, expires_at_ms }) => ({
      key: decrypt(subaccount_id, id, sealed),
      expiresAtMs: expires_at_ms ?? Number.POSITIVE_INFINITY,
    }));
    return () => {
      const nowMs = Date.now();
      return keys.filter(({ expiresAtMs }) => expiresAtMs > nowMs).map(({ key }) => key);
    };
  };
}
