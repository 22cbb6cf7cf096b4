// What no second user has decided about within 30 days expires: it never takes effect.

import { expireConnectionRequest } from "../../../banking/connections/index.ts";
import { expireDiscard } from "../../../banking/files/index.ts";
import { expireBankRequest } from "../../../banking/requests/index.ts";
import {
  expirePayout,
  expireRequest,
  expireResolution,
  payoutFacts,
} from "../../../money/payouts/index.ts";
import { expireRuleSet } from "../../../money/rules/index.ts";
import { decisionEntry, expireBankChange } from "../../../people/accounts/index.ts";
import { decisionNote, expireVersion } from "../../../people/sanctions-lists/index.ts";
import type { Db, Tx } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import type { Log } from "../../../platform/log/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { type Actor, type AuditNote, recordAct } from "../../../tenants/audit/index.ts";
import { expireOperatorToken } from "../../../tenants/operator-tokens/index.ts";
import { expireFinanceRequest } from "../../../tenants/users/index.ts";
import { listOldestWaiting, type WaitingItem, type WaitingKind } from "./queries.ts";
import { waitingLimits } from "./waiting-limits.ts";

const actor: Actor = { kind: "service", who: "service", ip: "", requestId: "" };
const reason = "not approved within 30 days";

type Sealing = { tx: Tx; seal: Seal };
type ExpiryTime = { who: string; atMs: number };
type Expire = (
  sealing: Sealing,
  key: { subaccountId: string; id: string },
  at: ExpiryTime,
) => Promise<AuditNote | undefined>;

const ofRequest: Expire = ({ tx }, key, at) => expireRequest(tx, key, at);

/** Each locks its row, and refuses if it is decided. Returns the audit entry. */
const expiries: Record<WaitingKind, Expire> = {
  payout: async ({ tx }, key, at) => {
    const after = payoutFacts(await expirePayout(tx, key, { ...at, reason }));
    return { action: "payout.expire", object: { kind: "payout", id: key.id }, after };
  },
  resolution: ({ tx }, key, at) => expireResolution(tx, key, at.atMs - waitingLimits.expiresMs),
  bank_change: async (sealing, key, at) =>
    decisionEntry("account.expire", await expireBankChange(sealing, key, { ...at, reason })),
  key: ofRequest,
  rotation: ofRequest,
  limits: ofRequest,
  erasure: ofRequest,
  bank_connection: ({ tx }, { id }, at) => expireConnectionRequest(tx, id, at),
  bank_request: ({ tx }, { id }, at) => expireBankRequest(tx, id, { ...at, reason }),
  bank_discard: async ({ tx }, { id }, { atMs }) => {
    const made_by = await expireDiscard(tx, id, atMs - waitingLimits.expiresMs);
    const object = { kind: "bank_batch", id };
    return made_by === undefined
      ? undefined
      : { action: "bank-batch.expire_discard", object, after: { made_by } };
  },
  finance_approval: ({ tx }, _, { atMs }) =>
    expireFinanceRequest(tx, { beforeMs: atMs - waitingLimits.expiresMs, atMs }),
  token: ({ tx }, { id }, { atMs }) => expireOperatorToken(tx, id, atMs),
  rules: async ({ tx }, { id }, at) => {
    const { version, made_by } = await expireRuleSet(tx, Number(id), at);
    const object = { kind: "rules", id: String(version) };
    return { action: "rules.expire", object, after: { made_by } };
  },
  screening_list: async ({ tx }, { id }, at) => decisionNote(await expireVersion(tx, id, at)),
};

/** Returns how many of each kind have expired, and whether there may be more. Each is a transaction of its own. */
export async function expireWaiting(
  { db, seal, log }: { db: Db; seal: Seal; log: Pick<Log, "warn"> },
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<{ expired: Map<WaitingKind, number>; isMore: boolean }> {
  const beforeMs = nowMs - waitingLimits.expiresMs;
  const found = await listOldestWaiting(db, { beforeMs, limit });
  const expired = new Map<WaitingKind, number>();
  for (const item of found) {
    try {
      if (await expireOne({ db, seal }, item, nowMs)) {
        expired.set(item.kind, (expired.get(item.kind) ?? 0) + 1);
      }
    } catch (error) {
      // A user decided at the same moment. Anything else is tried again.
      if (error instanceof Refusal) continue;
      log.warn({ err: error, kind: item.kind, id: item.id }, "expiry: will try again");
    }
  }
  return { expired, isMore: found.length >= limit && expired.size > 0 };
}

async function expireOne(
  { db, seal }: { db: Db; seal: Seal },
  { kind, subaccount_id, id }: WaitingItem,
  atMs: number,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const key = { subaccountId: subaccount_id ?? "", id };
    const note = await expiries[kind]({ tx, seal }, key, { who: actor.who, atMs });
    if (!note) return false;
    await recordAct({ tx, seal }, { ...actor, subaccountId: subaccount_id ?? undefined }, note);
    return true;
  });
}
