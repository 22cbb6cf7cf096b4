// Which approvals a payout needs, and whether they were given. Pure.

import { approvingRoles } from "../rules/index.ts";

/** The number of distinct users, of one role where one is named. */
export type ApprovalRequirement = { count: number; role: string | null };

export type ApprovalState = {
  requirements: readonly ApprovalRequirement[];
  /** Each user once, with the role that they have now. Null: the user can't sign in any more. */
  approvals: readonly { who: string; role: string | null }[];
};

const isApproving = (role: string | null) =>
  (approvingRoles as readonly (string | null)[]).includes(role);

/**
 * One approval can count towards several requirements. Without a requirement none is needed. Only users who could still
 * approve count: an account that was taken over is disabled, and its approval must not let money leave.
 */
export function areApprovalsMet({ requirements, approvals }: ApprovalState): boolean {
  return requirements.every(({ count, role }) => {
    const fitting = approvals.filter((one) =>
      role === null ? isApproving(one.role) : one.role === role,
    );
    return new Set(fitting.map(({ who }) => who)).size >= count;
  });
}

/** Whether an approval by one more user of this role brings the payout nearer to what it needs. */
export function canApprovalHelp({ requirements, approvals }: ApprovalState, role: string): boolean {
  const missing = requirements.filter(
    (one) => !areApprovalsMet({ requirements: [one], approvals }),
  );
  return missing.length === 0 || missing.some((one) => one.role === null || one.role === role);
}
