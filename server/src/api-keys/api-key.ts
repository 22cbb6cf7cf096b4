// The scopes of an API key, and the identity to which its secrets are sealed.

import type { Scope } from "../caller.ts";

/** The default scopes of a key. The scope for bank details must be requested explicitly. */
export const usualScopes: readonly Scope[] = ["read", "write", "payout"];

/** The scopes that move money, or change where money goes. */
export const moneyScopes: readonly Scope[] = ["payout", "bank_details"];

/** The row identity that a secret is sealed to. */
export function secretIdentity(key: string, secretId: string): string {
  return `api_secret:${key}:${secretId}`;
}
