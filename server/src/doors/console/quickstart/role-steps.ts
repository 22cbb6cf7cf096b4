// The first steps of each role at the console, and the acts that do them. Pure.

import type { Role } from "../../../tenants/roles/index.ts";

/** The actions in the audit log. Funds count by whatever way they came. */
export const actionsOfStep = {
  fund: [],
  invite: ["person.invite"],
  receiver: ["receiver.create", "receivers.import"],
  payout: ["payout.create", "payouts.import"],
  approve: [
    ...["payout.approve", "batch.approve", "account.approve", "change_request.approve"],
    ...["bank-batch.approve", "rules.approve"],
  ],
  statement: ["bank-file.inbound", "statement-line.match", "statement-line.company"],
  close: ["month.close", "bank-month.close"],
  review: ["review.approve", "review.reject", "review.same", "review.different", "review.release"],
  list: ["screening.import", "screening.approve", "screening.embargo_add"],
} as const satisfies Record<string, readonly string[]>;
export type OwnStep = keyof typeof actionsOfStep;

/** Those that count only in the subaccount that is shown. */
export const inSubaccountOnly: readonly string[] = [
  ...actionsOfStep.receiver,
  ...actionsOfStep.payout,
];

/** Developers have steps with commands to copy; auditors change nothing. */
export const stepsOfRole: Record<Role, readonly OwnStep[]> = {
  admin: ["invite", "fund", "receiver", "payout", "approve"],
  operator: ["fund", "receiver", "payout", "approve"],
  approver: ["approve"],
  finance: ["fund", "statement", "close"],
  compliance: ["review", "list"],
  developer: [],
  auditor: [],
};
