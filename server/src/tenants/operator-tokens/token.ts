// The text of an operator token, and which tokens wait for a second admin. Pure.

import { hash, randomBytes } from "node:crypto";
import { may, type Permission, type Role } from "../roles/index.ts";

const pattern = /^ot_[\w-]{43}$/;

export function newTokenText(): string {
  return `ot_${randomBytes(32).toString("base64url")}`;
}

/** Undefined: it is no token. */
export function secretHashOf(text: string): Buffer | undefined {
  return pattern.test(text) ? hash("sha256", text, "buffer") : undefined;
}

/** With these, money moves, a person becomes payable, or access becomes wider. */
const weighty: readonly Permission[] = [
  "payouts.create",
  "payouts.resolve",
  "accounts.propose",
  "receivers.write",
  "receivers.review",
  "banks.release",
  "banks.write",
  "keys.money",
  "limits.write",
  "months.close",
  "users.write",
];

/** Whether a role may do more than read, in live mode. */
export function isWeighty(role: Role): boolean {
  return weighty.some((permission) => may({ role }, permission));
}
