// What a person does at the console, as the audit is told of it.

import type { Act } from "../audit/record.ts";

/** The part of an asker that the audit names. */
export type AuditedUser = {
  who: string;
  ip: string;
  requestId: string;
  subaccount: { id: string } | undefined;
};

export type AuditedRequest = Pick<Act, "action" | "object" | "before" | "after">;

export function actOf({ who, ip, requestId, subaccount }: AuditedUser, doing: AuditedRequest): Act {
  return { ...doing, who, ip, requestId, subaccountId: subaccount?.id };
}
