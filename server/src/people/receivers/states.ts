// The two states of a receiver: the legal moves of each, and the table of transitions. Pure.
// The update statement, the documentation and the tests read these tables.

import type { KycStatus, ReceiverStatus } from "./receiver.ts";

export type States = { status: ReceiverStatus; kyc_status: KycStatus };

export const statusMoves: Record<ReceiverStatus, readonly ReceiverStatus[]> = {
  creating: ["pending", "failed", "inactive"],
  pending: ["active", "failed", "inactive"],
  active: ["inactive"],
  inactive: ["active"],
  failed: ["pending", "inactive"],
};

/** Only a user moves it from failed to completed: see `approvedByUser` below. */
export const kycMoves: Record<KycStatus, readonly KycStatus[]> = {
  pending: ["completed", "failed"],
  completed: ["failed", "pending"],
  failed: ["pending", "completed"],
};

type Rule = {
  status: Partial<Record<ReceiverStatus, ReceiverStatus>>;
  kyc_status: Partial<Record<KycStatus, KycStatus>>;
};

const anyKyc = { pending: "pending", completed: "completed", failed: "failed" } as const;

/** The next state for each state. A transition is illegal from a state that it does not list. */
export const transitions = {
  /** The provider has taken the applicant. */
  applicantMade: { status: { creating: "pending" }, kyc_status: { pending: "pending" } },
  /** The provider has refused the applicant for good. */
  applicantRefused: {
    status: { creating: "failed", pending: "failed", active: "inactive", inactive: "inactive" },
    kyc_status: { pending: "failed" },
  },
  approved: {
    status: { pending: "active", active: "active", inactive: "inactive" },
    kyc_status: { pending: "completed" },
  },
  /** At the first decision, or later, after an approval. */
  rejected: {
    status: { pending: "failed", active: "inactive", inactive: "inactive" },
    kyc_status: { pending: "failed", completed: "failed" },
  },
  /** The provider asks the person for better documents. */
  retried: {
    status: { pending: "pending", active: "active", inactive: "inactive" },
    kyc_status: { pending: "pending", completed: "pending" },
  },
  /** An operator approves, whatever the provider has decided. */
  approvedByUser: {
    status: { pending: "active", active: "active", inactive: "inactive" },
    kyc_status: { pending: "completed", failed: "completed" },
  },
  /** A user reopens a failed receiver in order to approve it: no move leads from failed to active. */
  reopened: { status: { failed: "pending" }, kyc_status: { failed: "failed" } },
  restarted: {
    status: { failed: "pending", inactive: "inactive" },
    kyc_status: { failed: "pending" },
  },
  /** Another name or date of birth is another person to check. */
  identityChanged: {
    status: {
      creating: "creating",
      pending: "pending",
      active: "active",
      inactive: "inactive",
      failed: "pending",
    },
    kyc_status: { pending: "pending", completed: "pending", failed: "pending" },
  },
  disabled: { status: { active: "inactive", inactive: "inactive" }, kyc_status: anyKyc },
  /** The last one: an erased receiver never changes again. */
  erased: {
    status: {
      creating: "inactive",
      pending: "inactive",
      active: "inactive",
      inactive: "inactive",
      failed: "inactive",
    },
    kyc_status: { pending: "failed", completed: "completed", failed: "failed" },
  },
  enabled: {
    status: { inactive: "active", active: "active" },
    kyc_status: { completed: "completed" },
  },
} as const satisfies Record<string, Rule>;

export type Transition = keyof typeof transitions;

/** Undefined if the states do not allow the move. */
export function nextStates(from: States, transition: Transition): States | undefined {
  const rule: Rule = transitions[transition];
  const status = rule.status[from.status];
  const kyc_status = rule.kyc_status[from.kyc_status];
  return status && kyc_status && { status, kyc_status };
}

export function isSame(one: States, other: States): boolean {
  return one.status === other.status && one.kyc_status === other.kyc_status;
}
