// A second person decides about a change that waits: a key is activated, limits are loosened, or not.

import { lockKey, updateKeyApproved, updateKeysVersion } from "../../api-keys/queries.ts";
import { endKey } from "../../api-keys/revoke.ts";
import { recordAct } from "../../audit/record.ts";
import type { Mode } from "../../caller.ts";
import type { Clock } from "../../clock.ts";
import type { Db, Tx } from "../../db/connect.ts";
import {
  limitChangeOf,
  limitsOnWire,
  lockPayoutLimit,
  setPayoutLimit,
} from "../../payouts/limit-queries.ts";
import { Refusal } from "../../refusals/refusals.ts";
import type { Seal } from "../../seal.ts";
import { requireOtherUser } from "../../users/four-eyes.ts";
import { may, type Permission, type User } from "../../users/user.ts";
import { type AuditedUser, actOf } from "../act.ts";
import {
  type ChangeRequest,
  type ChangeRequestKind,
  type ChangeRequestStatus,
  lockChangeRequest,
  updateChangeRequestDecided,
} from "./queries.ts";

export type DecideRequestParts = { db: Db; seal: Seal; clock: Clock };
export type RequestDecider = AuditedUser & { person: User; subaccount: { id: string; mode: Mode } };

/** What a person must be allowed to do to decide about it. */
export const permissionOf: Record<ChangeRequestKind, Permission> = {
  key: "keys.approve",
  limits: "limits.write",
};

export function approveRequest(
  parts: DecideRequestParts,
  decider: RequestDecider,
  id: string,
): Promise<ChangeRequestStatus> {
  const { clock } = parts;
  return decide(parts, decider, { id }, async (tx, request) => {
    const atMs = clock();
    const isDue = request.alone_at_ms !== null && atMs >= Number(request.alone_at_ms);
    if (!isDue) await requireOtherUser(tx, [request.made_by], { who: decider.who, atMs });
    if (request.kind === "key") await activate(tx, request);
    else await loosen(tx, request, decider.subaccount.mode);
    return "applied";
  });
}

/** Also by the person who asked for it. */
export function declineRequest(
  parts: DecideRequestParts,
  decider: RequestDecider,
  id: string,
  reason: string,
): Promise<ChangeRequestStatus> {
  return decide(parts, decider, { id, reason }, async (tx, request) => {
    if (request.kind === "key") await endKey(tx, request.object_id);
    return request.made_by === decider.who ? "withdrawn" : "declined";
  });
}

function decide(
  { db, seal, clock }: DecideRequestParts,
  decider: RequestDecider,
  { id, reason }: { id: string; reason?: string },
  work: (tx: Tx, request: ChangeRequest) => Promise<ChangeRequestStatus>,
): Promise<ChangeRequestStatus> {
  return db.transaction(async (tx) => {
    const request = await lockChangeRequest(tx, { subaccountId: decider.subaccount.id, id });
    if (!request) throw new Refusal("CONS110");
    if (!may(decider.person, permissionOf[request.kind])) throw new Refusal("CONS102");
    if (request.status !== "waiting") throw new Refusal("CONS401");
    const status = await work(tx, request);
    await updateChangeRequestDecided(tx, request, { status, who: decider.who, atMs: clock() });
    const verb = status === "applied" ? "approve" : "decline";
    const object = { kind: objectKinds[request.kind], id: request.object_id };
    const { before, after, made_by } = request;
    const doing = { action: `${request.kind}.${verb}`, object, before };
    await recordAct(
      { tx, seal },
      actOf(decider, { ...doing, after: { ...after, made_by, reason } }),
    );
    return status;
  });
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
  const purse = { subaccountId: request.subaccount_id, currency: request.object_id };
  const change = limitChangeOf(request.after as Parameters<typeof limitChangeOf>[0]);
  const { before, after } = await lockPayoutLimit(tx, { ...purse, mode }, change);
  // The person who approves has seen what would change of limits that are no longer there.
  const isAsSeen = Object.entries(limitsOnWire(before)).every(
    ([field, amount]) => request.before[field] === amount,
  );
  if (!isAsSeen) throw new Refusal("CONS409");
  await setPayoutLimit(tx, purse, after);
}
