// Makes a change of states ready to be written: who, why, what is told, and what the background does next.

import { receiverKycUpdate } from "../events/outbox.ts";
import { newId } from "../ids.ts";
import { isRemote, type KycProvider } from "../kyc-providers/provider.ts";
import type { ReceiverKey } from "./queries.ts";
import type { Move } from "./state-queries.ts";
import type { States } from "./states.ts";

type Wish = ReceiverKey &
  Pick<Move, "from" | "to" | "who" | "reason" | "atMs" | "step"> &
  Partial<Pick<Move, "leaseMs" | "applicantId" | "heardAtMs">>;

/** Only a change of the KYC state is told to the subaccount: the published interface knows no other. */
export function toReceiverMove(wish: Wish): Move {
  const { from, to, subaccountId, id: receiverId, atMs } = wish;
  const status = to.kyc_status;
  return {
    ...wish,
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

/** The first thing to do about a new receiver. */
export function firstStep(
  provider: KycProvider,
  nowMs: number,
): Exclude<Move["step"], "as-before"> {
  return isRemote(provider) ? { kind: "create", dueAtMs: nowMs } : askStep(provider, nowMs);
}

/** What to do when the check is to begin again; before the first applicant is made, to make it. */
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
