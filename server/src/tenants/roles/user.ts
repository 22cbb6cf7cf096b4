// Users of the console and their permissions: one table that the gate, the pages and the tests read. Pure.

import { isEmail } from "../../platform/emails/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { problem, Refusal } from "../../platform/refusals/index.ts";

export const roles = [
  "admin",
  "operator",
  "approver",
  "finance",
  "developer",
  "auditor",
  "compliance",
] as const;
export type Role = (typeof roles)[number];

/**
 * The permissions of each role. Together with the rule of four eyes (tenants/four-eyes/four-eyes.ts), no single user can move money
 * above the threshold. A developer sees only the subaccounts that were assigned to them.
 */
export const permissions = {
  read: roles,
  export: roles,
  "payouts.create": ["admin", "operator"],
  "payouts.approve": ["admin", "operator", "approver"],
  /** End a sent payout by hand. It takes two users. */
  "payouts.resolve": ["admin", "operator"],
  /** Release or refuse a payout that is on hold. */
  "payouts.release": ["admin", "operator"],
  "approvals.read": ["admin", "operator", "approver", "finance", "auditor", "compliance"],
  "receivers.write": ["admin", "operator"],
  /** Decide identity checks and hits, and change sanctions lists. */
  "receivers.review": ["admin", "operator", "compliance"],
  /** Erase a receiver, and download everything about one person. */
  "receivers.privacy": ["admin", "operator"],
  /** The review queue, and sanctions lists. */
  "reviews.read": ["admin", "operator", "auditor", "compliance"],
  "accounts.propose": ["admin", "operator"],
  "accounts.approve": ["admin", "operator", "approver"],
  "accounts.reveal": ["admin", "operator", "approver", "finance", "auditor"],
  "webhooks.write": ["admin", "operator", "developer"],
  /** Keys of test subaccounts with the scopes read and write. */
  "keys.write": ["admin", "operator", "developer"],
  /** Every key of a live subaccount, and the scopes payout and bank_details. */
  "keys.money": ["admin", "operator"],
  /** Activate a key that another user made. */
  "keys.approve": ["admin", "operator"],
  "settings.write": ["admin", "operator"],
  "limits.write": ["admin"],
  /** Add test funds. Only subaccounts in test mode have them. */
  "balances.fund": ["admin", "operator", "finance", "developer"],
  /** Set the outcome of an identity check or a payout. Only subaccounts in test mode. */
  "outcomes.simulate": ["admin", "operator", "developer"],
  "months.close": ["admin", "finance"],
  /** Bank connections, bank batches and their lines. */
  "banks.read": ["admin", "operator", "approver", "finance", "auditor"],
  /**
   * Freeze a file, download an approved one, record that it was sent, or discard it. Apply a file from a bank, decide
   * about suspense, and record recalls.
   */
  "banks.release": ["admin", "operator", "finance"],
  /** Read the bytes of a file, and approve them. */
  "banks.approve": ["admin", "operator", "approver"],
  /** Bank connections. A change takes two users. */
  "banks.write": ["admin"],
  /** Rules about payouts. A change takes two users. */
  "rules.read": ["admin", "operator", "approver", "finance", "auditor", "compliance"],
  "rules.propose": ["admin", "operator"],
  "rules.approve": ["admin", "approver"],
  "audit.read": ["admin", "operator", "approver", "finance", "auditor", "compliance"],
  "users.read": ["admin", "auditor"],
  "users.write": ["admin"],
  "subaccounts.create": ["admin"],
} as const satisfies Record<string, readonly Role[]>;
export type Permission = keyof typeof permissions;

/** Additional permissions of finance, if two admins have allowed them. */
const financeApproves: readonly Permission[] = [
  "payouts.approve",
  "accounts.approve",
  "banks.approve",
];

export type User = {
  id: string;
  name: string;
  email: string;
  role: Role;
  /** The subaccounts that a developer sees. Undefined: all of them. */
  subaccountIds: readonly string[] | undefined;
  /** Two admins have allowed finance to approve. */
  financeMayApprove?: boolean;
};

/** A user who is signed in with a browser, or a program with a token of a user. */
export type Session = {
  id: string;
  user: User;
  /** When the user last proved who they are, by password or passkey. */
  provenAtMs: number;
  /** A program asks: with an operator token, or with the one of a user who signed in at the command line. */
  token?: { name: string; isLogin?: boolean };
};

export function requireFittingSubaccounts({
  role,
  subaccountIds = [],
}: Partial<Pick<User, "subaccountIds">> & Pick<User, "role">): void {
  if ((role === "developer") === subaccountIds.length > 0) return;
  throw new Refusal([problem("CONS209", "subaccount_id")]);
}

/** The sign-in library accepts no other emails. */
export function requireUserEmail(email: string): void {
  if (isEmail(email) && /^[\w'+.-]+@[\w.-]+$/.test(email)) return;
  throw new Refusal([problem("CONS108", "email")]);
}

export function may(
  { role, financeMayApprove }: Pick<User, "role" | "financeMayApprove">,
  permission: Permission,
): boolean {
  if (role === "finance" && financeMayApprove && financeApproves.includes(permission)) return true;
  return (permissions[permission] as readonly Role[]).includes(role);
}

/** Whether the user may see a subaccount. */
export function sees({ subaccountIds }: Pick<User, "subaccountIds">, id: string): boolean {
  return subaccountIds === undefined || subaccountIds.includes(id);
}

/** Whether the user has proved their identity recently. */
export function isProven({ provenAtMs }: Pick<Session, "provenAtMs">, nowMs: number): boolean {
  return provenAtMs >= nowMs - limits.stepUpMs;
}
