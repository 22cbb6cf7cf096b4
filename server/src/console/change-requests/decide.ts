// A second user approves or declines a change request: to activate a key, to loosen limits or to erase a receiver.

import { lockKey, updateKeyApproved, updateKeysVersion } from "../../api-keys/queries.ts";
import { endKey } from "../../api-keys/revoke.ts";
import { audited } from "../../audit/audited.ts";
import type { AuditNote } from "../../audit/record.ts";
import type { Mode } from "../../caller.ts";
import type { Tx } from "../../db/connect.ts";
import {
  limitChangeOf,
  limitsOnWire,
  lockPayoutLimit,
  setPayoutLimit,
} from "../../payouts/limit-queries.ts";
import { type Erased, eraseReceiver } from "../../privacy/erase.ts";
import { Refusal } from "../../refusals/refusals.ts";
import type { Retention } from "../../retention/table.ts";
import { requireOtherUser } from "../../users/four-eyes.ts";
import { may, type Permission } from "../../users/user.ts";
import { requireOpenSubaccount } from "../open-subaccount.ts";
import type { SubaccountAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import {
  type ChangeRequest,
  type ChangeRequestKind,
  type ChangeRequestStatus,
  lockChangeRequest,
  updateChangeRequestDecided,
} from "./queries.ts";

export type DecideRequestParts = WriteParts & { retention: Retention };
type RequestDecider = Pick<SubaccountAccess, "actor" | "user" | "subaccount">;

/** The permission that approving each kind needs. */
export const permissionOf: Record<ChangeRequestKind, Permission> = {
  key: "keys.approve",
  limits: "limits.write",
  erasure: "receivers.privacy",
};

/** `applicant`: the receiver that was erased has data at a provider of identity checks, too. */
type Approved = { status: ChangeRequestStatus; applicant: Erased["applicant"] };

export async function approveRequest(
  parts: DecideRequestParts,
  decider: RequestDecider,
  id: string,
): Promise<Approved> {
  const { seal, clock, retention } = parts;
  let applicant: Erased["applicant"];
  const status = await decide(parts, decider, { id }, async (tx, request) => {
    const { kind, subaccount_id: subaccountId, object_id } = request;
    // Receivers of a closed subaccount can be erased as well.
    if (kind !== "erasure") requireOpenSubaccount(decider);
    const [atMs, { who }] = [clock(), decider.actor];
    const isDue = request.alone_at_ms !== null && atMs >= Number(request.alone_at_ms);
    if (!isDue) await requireOtherUser(tx, [request.made_by], { who, atMs });
    if (kind === "key") await activate(tx, request);
    else if (kind === "limits") await loosen(tx, request, decider.subaccount.mode);
    else {
      const key = { subaccountId, id: object_id };
      ({ applicant } = await eraseReceiver({ tx, seal }, key, { who, atMs, retention }));
    }
    return "applied";
  });
  return { status, applicant };
}

/** Its creator may decline it too. */
export function declineRequest(
  parts: WriteParts,
  decider: RequestDecider,
  id: string,
  reason: string,
): Promise<ChangeRequestStatus> {
  return decide(parts, decider, { id, reason }, async (tx, request) => {
    if (request.kind === "key") await endKey(tx, request.object_id);
    return request.made_by === decider.actor.who ? "withdrawn" : "declined";
  });
}

async function decide(
  { db, seal, clock }: WriteParts,
  decider: RequestDecider,
  { id, reason }: { id: string; reason?: string },
  work: (tx: Tx, request: ChangeRequest) => Promise<ChangeRequestStatus>,
): Promise<ChangeRequestStatus> {
  const { status } = await audited({ db, seal }, decider.actor).transaction<DecidedRequest>(
    (decided) => entryOf(decided, reason),
    async (tx) => {
      const request = await lockChangeRequest(tx, { subaccountId: decider.subaccount.id, id });
      if (!request) throw new Refusal("CONS110");
      if (!may(decider.user, permissionOf[request.kind])) throw new Refusal("CONS102");
      if (request.status !== "waiting") throw new Refusal("CONS401");
      const status = await work(tx, request);
      const decision = { status, who: decider.actor.who, atMs: clock() };
      await updateChangeRequestDecided(tx, request, decision);
      return { request, status };
    },
  );
  return status;
}

type DecidedRequest = { request: ChangeRequest; status: ChangeRequestStatus };

function entryOf({ request, status }: DecidedRequest, reason: string | undefined): AuditNote {
  const { kind, object_id, before, after, made_by } = request;
  const { objectKind, approve, decline } = entries[kind];
  return {
    action: status === "applied" ? approve : decline,
    object: { kind: objectKind, id: object_id },
    before,
    after: { ...after, made_by, reason },
  };
}

const entries: Record<ChangeRequestKind, Record<"objectKind" | "approve" | "decline", string>> = {
  key: { objectKind: "api_key", approve: "key.approve", decline: "key.decline" },
  limits: { objectKind: "limit", approve: "limits.approve", decline: "limits.decline" },
  erasure: {
    objectKind: "receiver",
    approve: "receiver.erase",
    decline: "receiver.erase_decline",
  },
};

async function activate(tx: Tx, request: ChangeRequest): Promise<void> {
  const { subaccount_id: subaccountId, object_id } = request;
  const locked = await lockKey(tx, object_id);
  if (!locked || locked.revoked) throw new Refusal("CONS705");
  await updateKeyApproved(tx, subaccountId, object_id);
  await updateKeysVersion(tx);
}

async function loosen(tx: Tx, request: ChangeRequest, mode: Mode): Promise<void> {
  const key = { subaccountId: request.subaccount_id, currency: request.object_id };
  const change = limitChangeOf(request.after as Parameters<typeof limitChangeOf>[0]);
  const { before, after } = await lockPayoutLimit(tx, { ...key, mode }, change);
  // The limits have changed since, so the approver saw an outdated comparison.
  const isAsSeen = Object.entries(limitsOnWire(before)).every(
    ([field, amount]) => request.before[field] === amount,
  );
  if (!isAsSeen) throw new Refusal("CONS409");
  await setPayoutLimit(tx, key, after);
}
