// Who uses the console, and what each may do there: one table, which the gate, the pages and the tests read. Pure.

import { isEmail } from "../contact.ts";
import { limits } from "../limits.ts";
import { problem, Refusal } from "../refusals.ts";

export const roles = ["admin", "operator", "finance", "developer"] as const;
export type Role = (typeof roles)[number];

/** What a person may do. Everybody may read; a developer the one subaccount alone. */
export const permissions = {
  read: ["admin", "operator", "finance", "developer"],
  export: ["admin", "operator", "finance", "developer"],
  "payouts.create": ["admin", "operator"],
  "payouts.approve": ["admin", "operator"],
  /** End a sent payout by hand. It takes two users. */
  "payouts.resolve": ["admin", "operator"],
  "receivers.write": ["admin", "operator"],
  "receivers.review": ["admin", "operator"],
  "accounts.propose": ["admin", "operator"],
  "accounts.approve": ["admin", "operator"],
  "accounts.reveal": ["admin", "operator", "finance"],
  "webhooks.write": ["admin", "operator", "developer"],
  "keys.write": ["admin", "operator", "developer"],
  "settings.write": ["admin", "operator"],
  "limits.write": ["admin"],
  "months.close": ["admin", "finance"],
  "audit.read": ["admin", "operator", "finance"],
  "people.write": ["admin"],
  "subaccounts.create": ["admin"],
} as const satisfies Record<string, readonly Role[]>;
export type Permission = keyof typeof permissions;

export type Person = {
  id: string;
  name: string;
  email: string;
  role: Role;
  /** The only one that a developer sees. Undefined: all of them. */
  subaccountId: string | undefined;
};

/** Who does something to people, and from where, for the audit. */
export type Doer = { who: string; ip: string; requestId: string };

/** A person at a browser. */
export type Session = {
  id: string;
  person: Person;
  /** When the person last proved who it is, by password or passkey. */
  provenAtMs: number;
};

export function demandFittingSubaccount({
  role,
  subaccountId,
}: Pick<Person, "role" | "subaccountId">): void {
  if ((role === "developer") === (subaccountId !== undefined)) return;
  throw new Refusal([problem("CONS209", "subaccount_id")]);
}

/** The library that logs people in takes no others. */
export function demandPersonEmail(email: string): void {
  if (isEmail(email) && /^[\w'+.-]+@[\w.-]+$/.test(email)) return;
  throw new Refusal([problem("CONS108", "email")]);
}

export function may({ role }: Pick<Person, "role">, permission: Permission): boolean {
  return (permissions[permission] as readonly Role[]).includes(role);
}

/** Whether the person proved a short while ago who it is. */
export function isProven({ provenAtMs }: Pick<Session, "provenAtMs">, nowMs: number): boolean {
  return provenAtMs >= nowMs - limits.stepUpMs;
}

/** How histories and the audit name the person. */
export function whoIs({ email }: Pick<Person, "email">): string {
  return `operator:${email}`;
}
