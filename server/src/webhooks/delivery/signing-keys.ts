// The keys that sign events: decrypted once and cached.

import type { Seal } from "../../platform/encryption/index.ts";
import type { HmacKey } from "../../platform/signatures/index.ts";
import { endpointOfLane, endpointSecretIdentity, laneOf } from "../webhook-endpoints/index.ts";
import { webhookKey } from "../webhook-signature/index.ts";
import type { ClaimedLane } from "./queries.ts";

const keysMax = 10_000;

/** For a lane: a function that returns the keys that are valid at the time of the call, newest first. */
type SigningKeys = (
  lane: Pick<ClaimedLane, "subaccount_id" | "endpoint_id" | "secrets">,
) => () => HmacKey[];

/** The newest secret can't be decrypted, so no signature would be the one that the subaccount expects. */
export class UnreadableWebhookSecret extends Error {}

export function signingKeys(seal: Seal): SigningKeys {
  const decrypted = new Map<string, HmacKey>();

  function decrypt(lane: string, id: string, sealed: string): HmacKey | undefined {
    const known = decrypted.get(id);
    if (known) return known;
    const bytes = Buffer.from(sealed, "base64");
    const secret = seal.decryptIfReadable(bytes, endpointSecretIdentity(endpointOfLane(lane), id));
    if (secret === undefined) return undefined;
    const key = webhookKey(secret);
    if (decrypted.size >= keysMax) decrypted.clear();
    decrypted.set(id, key);
    return key;
  }

  return ({ secrets, ...claimed }) => {
    const lane = laneOf(claimed);
    const keys = (secrets ?? []).flatMap(({ id, sealed, expires_at_ms }, place) => {
      const key = decrypt(lane, id, sealed);
      if (key) return [{ key, expiresAtMs: expires_at_ms ?? Number.POSITIVE_INFINITY }];
      if (place === 0) throw new UnreadableWebhookSecret(id);
      // A previous one, which the subaccount has replaced.
      return [];
    });
    return () => {
      const nowMs = Date.now();
      return keys.filter(({ expiresAtMs }) => expiresAtMs > nowMs).map(({ key }) => key);
    };
  };
}
