// A second user approves or declines a change request: to activate a key or its rotated secret, to loosen
// limits or to erase a receiver.

import Type from "typebox";
import { type Erased, eraseReceiver } from "../../people/privacy/index.ts";
import type { Mode } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { idField, input, line, required } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import type { Retention } from "../../platform/retention/index.ts";
import { type ActBy, type ActParts, call, callerOf } from "../../tenants/acts/index.ts";
import {
  approveWaitingSecret,
  deleteWaitingSecret,
  endKey,
  lockKey,
  updateKeyApproved,
  updateKeysVersion,
} from "../../tenants/api-keys/index.ts";
import { type AuditNote, audited } from "../../tenants/audit/index.ts";
import {
  type ChangeRequest,
  type ChangeRequestKind,
  type ChangeRequestStatus,
  lockChangeRequest,
  requireOtherUser,
  updateChangeRequestDecided,
} from "../../tenants/four-eyes/index.ts";
import { may, type Permission, type User } from "../../tenants/roles/index.ts";
import { limitChangeOf, limitsOnWire, lockPayoutLimit, setPayoutLimit } from "./limit-queries.ts";
import { ApprovedRequest, DecidedRequest } from "./schema.ts";

export type RequestParts = { retention: Retention };

/** The permission that approving each kind needs. */
export const permissionOf: Record<ChangeRequestKind, Permission> = {
  key: "keys.approve",
  rotation: "keys.approve",
  limits: "limits.write",
  erasure: "receivers.privacy",
};

/** The actors who can't approve it. A user who rotated a key that waits has seen its secret. */
export function makersOfRequest({
  kind,
  made_by,
  object_id,
}: Pick<ChangeRequest, "kind" | "made_by" | "object_id">): string[] {
  return kind === "key" ? [made_by, `key:${object_id}`] : [made_by];
}

const ofRequest = { object: "change_request", may: "keys.approve", doors: ["console"] } as const;

export const approveRequestAct = call({
  ...ofRequest,
  name: "change_request.approve",
  tokens: "logins",
  summary: "activate a key or its rotated secret, loosen limits, or erase a receiver",
  stepUp: true,
  twoPeople: "Loosen a limit or a threshold",
  in: "subaccount",
  input: input({ id: idField("CONS110") }),
  output: ApprovedRequest,
  async perform(parts: ActParts & RequestParts, by, { id }) {
    const { seal, clock, retention } = parts;
    let applicant: Erased["applicant"];
    const status = await decide(parts, by, { id }, async (tx, request) => {
      const { kind, subaccount_id: subaccountId, object_id } = request;
      // Receivers of a closed subaccount can be erased as well.
      if (kind !== "erasure" && by.subaccount?.isClosed) throw new Refusal("CONS701");
      const [atMs, { who }] = [clock(), by.actor];
      await requireOtherUser(tx, makersOfRequest(request), { who, in: subaccountId });
      if (kind === "key") await activate(tx, request);
      else if (kind === "rotation") await activateRotated(tx, request);
      else if (kind === "limits") await loosen(tx, request, callerOf(by).mode);
      else {
        const key = { subaccountId, id: object_id };
        ({ applicant } = await eraseReceiver({ tx, seal }, key, { who, atMs, retention }));
      }
      return "applied";
    });
    return { id, status, applicant: applicant ?? null };
  },
});

/** Its creator may decline it too. */
export const declineRequestAct = call({
  ...ofRequest,
  name: "change_request.decline",
  summary: "decline or withdraw what waits for a second user",
  in: "subaccount",
  input: input({
    id: idField("CONS110"),
    reason: required(Type.String({ minLength: 1, maxLength: 300, pattern: line })),
  }),
  output: DecidedRequest,
  async perform(parts: ActParts, by, { id, reason }) {
    const status = await decide(parts, by, { id, reason }, async (tx, request) => {
      await endWaitingObject(tx, request);
      return request.made_by === by.actor.who ? "withdrawn" : "declined";
    });
    return { id, status };
  },
});

async function decide(
  { db, seal, clock }: ActParts,
  by: ActBy,
  { id, reason }: { id: string; reason?: string },
  work: (tx: Tx, request: ChangeRequest) => Promise<ChangeRequestStatus>,
): Promise<ChangeRequestStatus> {
  const { status } = await audited({ db, seal }, by.actor).transaction<Decided>(
    (decided) => entryOf(decided, reason),
    async (tx) => {
      const request = await lockChangeRequest(tx, { subaccountId: callerOf(by).subaccountId, id });
      if (!request) throw new Refusal("CONS110");
      if (!may(by.user as User, permissionOf[request.kind])) throw new Refusal("CONS102");
      if (request.status !== "waiting") throw new Refusal("CONS401");
      const status = await work(tx, request);
      const decision = { status, who: by.actor.who, atMs: clock() };
      await updateChangeRequestDecided(tx, request, decision);
      return { request, status };
    },
  );
  return status;
}

/** No second user has decided in time. Returns the audit entry; undefined if it is decided. */
export async function expireRequest(
  tx: Tx,
  key: { subaccountId: string; id: string },
  { who, atMs }: { who: string; atMs: number },
): Promise<AuditNote | undefined> {
  const request = await lockChangeRequest(tx, key);
  if (request?.status !== "waiting") return undefined;
  await endWaitingObject(tx, request);
  await updateChangeRequestDecided(tx, request, { status: "expired", who, atMs });
  return entryOf({ request, status: "expired" }, undefined);
}

type Decided = { request: ChangeRequest; status: ChangeRequestStatus };

function entryOf({ request, status }: Decided, reason: string | undefined): AuditNote {
  const { kind, object_id, before, after, made_by } = request;
  const { objectKind, approve, decline, expire } = entries[kind];
  return {
    action: status === "applied" ? approve : status === "expired" ? expire : decline,
    object: { kind: objectKind, id: object_id },
    before,
    after: { ...after, made_by, reason },
  };
}

type EntryNames = Record<"objectKind" | "approve" | "decline" | "expire", string>;

const entries: Record<ChangeRequestKind, EntryNames> = {
  key: {
    objectKind: "api_key",
    approve: "key.approve",
    decline: "key.decline",
    expire: "key.expire",
  },
  rotation: {
    objectKind: "api_key",
    approve: "key.approve_rotation",
    decline: "key.decline_rotation",
    expire: "key.expire_rotation",
  },
  limits: {
    objectKind: "limit",
    approve: "limits.approve",
    decline: "limits.decline",
    expire: "limits.expire",
  },
  erasure: {
    objectKind: "receiver",
    approve: "receiver.erase",
    decline: "receiver.erase_decline",
    expire: "receiver.erase_expire",
  },
};

async function activate(tx: Tx, request: ChangeRequest): Promise<void> {
  const { subaccount_id: subaccountId, object_id } = request;
  const locked = await lockKey(tx, object_id);
  if (!locked || locked.revoked) throw new Refusal("CONS705");
  await updateKeyApproved(tx, subaccountId, object_id);
  await updateKeysVersion(tx);
}

/** From now on the new secret works, and the one before it for its grace period. */
async function activateRotated(tx: Tx, { object_id: key, after }: ChangeRequest): Promise<void> {
  const locked = await lockKey(tx, key);
  if (!locked || locked.revoked) throw new Refusal("CONS705");
  const graceMs = Number(after.grace_seconds) * 1000;
  if (!(await approveWaitingSecret(tx, { key, graceMs }))) throw new Refusal("CONS413");
}

/** A key or secret that waited never works. */
async function endWaitingObject(
  tx: Tx,
  { kind, object_id }: Pick<ChangeRequest, "kind" | "object_id">,
): Promise<void> {
  if (kind === "key") await endKey(tx, object_id);
  if (kind === "rotation") await deleteWaitingSecret(tx, object_id);
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
