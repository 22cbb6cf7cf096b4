// A second user approves or declines a change request: to activate a key or to loosen limits.

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
import { Refusal } from "../../refusals/refusals.ts";
import { requireOtherUser } from "../../users/four-eyes.ts";
import { may, type Permission } from "../../users/user.ts";
import type { SubaccountAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import {
  type ChangeRequest,
  type ChangeRequestKind,
  type ChangeRequestStatus,
  lockChangeRequest,
  updateChangeRequestDecided,
} from "./queries.ts";

type RequestDecider = Pick<SubaccountAccess, "actor" | "user" | "subaccount">;

/** The permission that approving each kind needs. */
export const permissionOf: Record<ChangeRequestKind, Permission> = {
  key: "keys.approve",
  limits: "limits.write",
};

export function approveRequest(
  parts: WriteParts,
  decider: RequestDecider,
  id: string,
): Promise<ChangeRequestStatus> {
  const { clock } = parts;
  return decide(parts, decider, { id }, async (tx, request) => {
    const atMs = clock();
    const isDue = request.alone_at_ms !== null && atMs >= Number(request.alone_at_ms);
    if (!isDue) await requireOtherUser(tx, [request.made_by], { who: decider.actor.who, atMs });
    if (request.kind === "key") await activate(tx, request);
    else await loosen(tx, request, decider.subaccount.mode);
    return "applied";
  });
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
  return {
    action: `${kind}.${status === "applied" ? "approve" : "decline"}`,
    object: { kind: objectKinds[kind], id: object_id },
    before,
    after: { ...after, made_by, reason },
  };
}

const objectKinds: Record<ChangeRequestKind, string> = { key: "api_key", limits: "limit" };

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
