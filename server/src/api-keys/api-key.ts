// What an API key may be allowed to do, and how its secrets are encrypted.

import type { Scope } from "../caller.ts";

/** Of a key for which none are named. Changing bank details has to be asked for. */
export const usualScopes: readonly Scope[] = ["read", "write", "payout"];

/** By which a key moves money, or changes where money goes. */
export const moneyScopes: readonly Scope[] = ["payout", "bank_details"];

/** The row identity that a secret is sealed to. */
export function secretIdentity(key: string, secretId: string): string {
  return `api_secret:${key}:${secretId}`;
}
