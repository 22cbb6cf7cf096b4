// The text of an API key, its scopes, and the identity to which its secrets are sealed.

import { randomBytes } from "node:crypto";
import type { Mode, Scope } from "../../platform/base/index.ts";

/** The default scopes of a key. The scope for bank details must be requested explicitly. */
export const usualScopes: readonly Scope[] = ["read", "write", "payout"];

/** The scopes that move money, or change where money goes. */
export const moneyScopes: readonly Scope[] = ["payout", "bank_details"];

/** The row identity that a secret is sealed to. */
export function secretIdentity(key: string, secretId: string): string {
  return `api_secret:${key}:${secretId}`;
}

const randomBytesOfKey = 18;

// The last part of a key always has 24 characters. It may contain "_", but a key with a cell is at least two characters
// longer than one without, so no key can be read in two ways. The edge reads keys by the same pattern.
const keyPattern = /^ak_(?:live|test)_(?:([a-z0-9]{1,8})_)?[\w-]{24}$/;

export function newKeyText(mode: Mode, cell: string): string {
  const random = randomBytes(randomBytesOfKey).toString("base64url");
  return cell === "" ? `ak_${mode}_${random}` : `ak_${mode}_${cell}_${random}`;
}

/** The cell that a key names: empty for the default cell, undefined for a text that is no key. */
export function cellOfKey(key: string): string | undefined {
  const parts = keyPattern.exec(key);
  return parts ? (parts[1] ?? "") : undefined;
}
