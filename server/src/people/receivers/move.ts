// Prepares a change of a receiver's states: its history entry, its event, and the next step of the KYC worker.

import { newId } from "../../platform/base/index.ts";
import {
  type OutboxEvent,
  receiverDeactivated,
  receiverKycUpdate,
} from "../../webhooks/events/index.ts";
import { isRemote, type KycProvider } from "../kyc-providers/index.ts";
import type { ReceiverKey } from "./queries.ts";
import type { Move } from "./state-queries.ts";
import type { States } from "./states.ts";

export type ReceiverMoveRequest = ReceiverKey &
  Pick<Move, "from" | "to" | "who" | "reason" | "atMs" | "step"> &
  Partial<Pick<Move, "leaseMs" | "applicantId" | "reportedAtMs" | "later">>;

/** Only a change of the KYC status has a published event. Others follow on request. */
export function toReceiverMove(request: ReceiverMoveRequest): Move {
  const { from, to, subaccountId, id: receiverId, atMs } = request;
  const status = to.kyc_status;
  const later: OutboxEvent[] = [...(request.later ?? [])];
  if (to.status === "inactive" && from.status !== "inactive") {
    later.push(receiverDeactivated({ subaccountId, receiverId, status: to.status, atMs }));
  }
  return {
    ...request,
    later,
    historyId: newId(),
    event:
      from.kyc_status === status
        ? undefined
        : receiverKycUpdate({ subaccountId, receiverId, status, atMs }),
  };
}

export function statesOf({ status, kyc_status }: States): States {
  return { status, kyc_status };
}

/** The first step for a new receiver. */
export function firstStep(
  provider: KycProvider,
  nowMs: number,
): Exclude<Move["step"], "as-before"> {
  return isRemote(provider) ? { kind: "create", dueAtMs: nowMs } : askStep(provider, nowMs);
}

/** The step that restarts a check; before there is an applicant, the step that creates it. */
export function restartStep(provider: KycProvider, from: States, nowMs: number): Move["step"] {
  if (!isRemote(provider)) return askStep(provider, nowMs);
  return { kind: from.status === "creating" ? "create" : "restart", dueAtMs: nowMs };
}

export function askStep(
  { askAfterMs }: Pick<KycProvider, "askAfterMs">,
  nowMs: number,
): Exclude<Move["step"], "as-before"> {
  return askAfterMs === undefined ? null : { kind: "ask", dueAtMs: nowMs + askAfterMs };
}
