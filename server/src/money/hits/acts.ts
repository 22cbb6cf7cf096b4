// What reviewers decide about hits and payouts on hold, in the version that was shown.

import Type from "typebox";
import type { ReceiverKey } from "../../people/receivers/index.ts";
import {
  caseVersion,
  deleteClaim,
  findCase,
  insertReviewNote,
  listReviewNotes,
  noteAudiences,
  reasonText,
  requireUnclaimed,
} from "../../people/reviews/index.ts";
import { findHit, type HitKey, lockHit } from "../../people/screening/index.ts";
import { toNumber } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { idField, input, optional, required } from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { act, type Doing } from "../../tenants/acts/index.ts";
import type { Actor, AuditNote } from "../../tenants/audit/index.ts";
import { conflictsOf } from "../../tenants/four-eyes/index.ts";
import { isProven, may } from "../../tenants/roles/index.ts";
import {
  type EndedHold,
  findPayouts,
  lockPayoutToDecide,
  makersOf,
  type PayoutKey,
  type PayoutParts,
  refusePayout,
  releasePayout,
} from "../payouts/index.ts";
import { type DecidedHit, decideHit, type HitVerdict } from "./decide-hit.ts";
import { findHold, type HeldRow, listHeldPayouts } from "./held-queries.ts";
import { hitVersionOf, holdVersionOf } from "./versions.ts";

type Deciding = Doing & Pick<PayoutParts, "rails" | "onDue">;

const ofHit = {
  object: "screening_hit",
  may: "receivers.review",
  in: "subaccount",
  doors: ["console"],
} as const;
const decision = {
  id: idField("CONS110"),
  version: caseVersion,
  reason: required({
    ...reasonText,
    description: "why; kept in the audit log, and never shown to the caller",
  }),
};

/** The other hits of the case that are decided in the same way. Each is recorded as if it were decided alone. */
const others = optional(
  Type.Array(input({ id: required(Type.String({ format: "known-id" })), version: caseVersion }), {
    maxItems: limits.receiverShownMax,
    description: "Other hits of the same person, each in the version that was shown",
  }),
);

export const decideDifferent = act({
  ...ofHit,
  name: "review.different",
  tokens: "logins",
  summary: "say that a hit is a different person, and release the payouts that only it holds",
  input: input({
    ...decision,
    others,
    release: required(
      Type.Boolean({ description: "Release the payouts that only this hit holds" }),
    ),
  }),
  async run(doing: Deciding, { release, ...given }) {
    // Money may leave, as after an approval.
    if (release && doing.user && !may(doing.user, "payouts.release")) throw new Refusal("CONS102");
    if (release && doing.subaccount.isClosed) throw new Refusal("CONS701");
    if (release && !(doing.session && isProven(doing.session, doing.atMs))) {
      throw new Refusal("CONS103");
    }
    return decideHitCase(doing, { ...given, verdict: "different" }, release);
  },
});

export const decideSame = act({
  ...ofHit,
  name: "review.same",
  summary: "say that a hit is the same person: two users, then the receiver is deactivated",
  input: input({ ...decision, others }),
  run: (doing: Deciding, given) => decideHitCase(doing, { ...given, verdict: "same" }, false),
});

type SeenHit = { id: string; version?: string };
type Ruling = Pick<HitVerdict, "verdict" | "reason"> & SeenHit & { others?: readonly SeenHit[] };

async function decideHitCase(
  { tx, seal, actor, who, atMs, subaccount, rails, onDue }: Deciding,
  { id, verdict, reason, version, others = [] }: Ruling,
  /** Also the payouts that only these hits hold, and that this user may release. */
  release: boolean,
) {
  const subaccountId = subaccount.id;
  const seen = new Map(
    [...others, { id, ...(version && { version }) }].map((one) => [one.id, one]),
  );
  const receiver = await requireSeenHits({ tx, seal }, subaccountId, [...seen.values()]);
  await endClaim(tx, receiver, actor, atMs);
  const decided: DecidedHit[] = [];
  for (const one of inOrder(seen.keys())) {
    decided.push(await decideHit(tx, { subaccountId, id: one }, { verdict, reason, who, atMs }));
  }
  const released: EndedHold[] = [];
  if (release && decided.at(-1)?.hitsLeft === 0) {
    const ending = { who, atMs, reason, rails };
    const approval = { who, in: subaccountId };
    for (const held of await releasable(tx, await listHeldPayouts(tx, receiver), approval)) {
      released.push(await releasePayout(tx, { subaccountId, id: held.id }, ending));
    }
  }
  tx.afterCommit(() => onDue?.());
  return {
    result: {
      is_decided: decided.every(({ isDecided }) => isDecided),
      status: decided.find(({ hit }) => hit.id === id)?.status,
      released: released.map(({ payout }) => payout.id),
    },
    entries: [
      ...decided.map((one) => hitEntry(one, { verdict, reason })),
      ...released.map((ended) => holdEntry("payout.release", ended, reason)),
    ],
  };
}

function hitEntry(
  { hit, isDecided, refused, isReceiverDeactivated }: DecidedHit,
  { verdict, reason }: Pick<HitVerdict, "verdict" | "reason">,
): AuditNote {
  const { id, list, entry_key, receiver_id } = hit;
  return {
    action: isDecided ? `review.${verdict}` : "review.same-first",
    object: { kind: "screening_hit", id },
    before: { status: hit.status },
    after: {
      list,
      entry_key,
      receiver_id,
      reason,
      ...(isReceiverDeactivated && { receiver: "inactive" }),
      ...(refused.length > 0 && { payouts_refused: refused }),
    },
  };
}

/** Rows are locked in the order of their keys. */
function inOrder(ids: Iterable<string>): string[] {
  return [...ids].sort();
}

/** Hits of one receiver. */
async function requireSeenHits(
  reading: { tx: Tx; seal: Seal },
  subaccountId: string,
  seen: readonly SeenHit[],
): Promise<ReceiverKey> {
  const versions = new Map(seen.map(({ id, version }) => [id, version]));
  const receivers: ReceiverKey[] = [];
  for (const id of inOrder(versions.keys())) {
    receivers.push(await requireSeenHit(reading, { subaccountId, id }, versions.get(id)));
  }
  const [receiver, ...rest] = receivers as [ReceiverKey, ...ReceiverKey[]];
  if (rest.some(({ id }) => id !== receiver.id)) throw new Refusal("CONS110");
  return receiver;
}

/** A decided hit is left to the decision itself, whose refusal says how it was decided. */
async function requireSeenHit(
  { tx, seal }: { tx: Tx; seal: Seal },
  key: HitKey,
  version: string | undefined,
): Promise<ReceiverKey> {
  const hit = await lockHit(tx, key);
  if (!hit) throw new Refusal("CONS110");
  const receiverKey = { subaccountId: key.subaccountId, id: hit.receiver_id };
  if (hit.status === "open") {
    const receiver = await findCase({ db: tx, seal }, receiverKey);
    if (!receiver || hitVersionOf(hit, receiver) !== version) throw new Refusal("CONS602");
  }
  return receiverKey;
}

/** A payout that a rule holds too, or that this user made, stays on hold and is a case of its own from now on. */
async function releasable(
  tx: Tx,
  held: readonly HeldRow[],
  approval: { who: string; in: string },
): Promise<HeldRow[]> {
  const conflicts = await conflictsOf(tx, held.map(makersOf), approval);
  return held.filter(
    ({ reasons }, index) => !conflicts[index] && reasons.every(({ kind }) => kind === "screening"),
  );
}

const ofHold = {
  object: "payout",
  may: "payouts.release",
  doors: ["console", "cli"],
  input: input(decision),
} as const;

export const releaseHeldPayout = act({
  ...ofHold,
  name: "payout.release",
  tokens: "logins",
  summary: "release a payout that is on hold: it is sent, or waits for approval if it needs one",
  // A release lets money leave, as an approval does.
  stepUp: true,
  twoPeople: "Release a payout that is on hold",
  in: "open subaccount",
  run: (doing: Deciding, given) => endHoldCase("payout.release", doing, given),
});

export const refuseHeldPayout = act({
  ...ofHold,
  name: "payout.refuse",
  summary: "refuse a payout that is on hold; its money becomes available again",
  in: "subaccount",
  run: (doing: Deciding, given) => endHoldCase("payout.refuse", doing, given),
});

async function endHoldCase(
  action: "payout.release" | "payout.refuse",
  { tx, actor, session, who, atMs, subaccount, rails, onDue }: Deciding,
  { id, version, reason }: { id: string; version?: string; reason: string },
) {
  const key = { subaccountId: subaccount.id, id };
  if (session) await endClaim(tx, await requireSeenHold(tx, key, version), actor, atMs);
  const ending = { who, atMs, reason };
  const { mode } = subaccount;
  const ended =
    action === "payout.refuse"
      ? await refusePayout(tx, key, ending)
      : await releasePayout(tx, key, { ...ending, rails, mode });
  tx.afterCommit(() => onDue?.());
  const { status, stage } = ended;
  return { result: { id, status, stage }, entries: [holdEntry(action, ended, reason)] };
}

function holdEntry(action: string, { payout, stage }: EndedHold, reason: string): AuditNote {
  const { id, amount, currency, created_by: made_by } = payout;
  const after = { amount: toNumber(BigInt(amount)), currency, made_by, stage, reason };
  return { action, object: { kind: "payout", id }, after };
}

/** Locks the payout, so that of two users who decide at once the second sees the decision of the first. */
async function requireSeenHold(
  tx: Tx,
  key: PayoutKey,
  version: string | undefined,
): Promise<ReceiverKey> {
  const payout = await lockPayoutToDecide(tx, key);
  if (!payout) throw new Refusal("PAYO101");
  if (payout.stage !== "on_hold") throw new Refusal("CONS508");
  const hold = await findHold(tx, key);
  if (!hold || holdVersionOf(payout, hold) !== version) throw new Refusal("CONS602");
  return { subaccountId: key.subaccountId, id: payout.receiver_id };
}

/** The claim ends with the decision. */
async function endClaim(tx: Tx, receiver: ReceiverKey, actor: Actor, atMs: number): Promise<void> {
  await requireUnclaimed(tx, receiver, actor, atMs);
  await deleteClaim(tx, receiver, actor.userId);
}

/** The case stays in the queue. Returns the notes about the receiver, newest first. */
export const askAboutCase = act({
  name: "review.ask",
  summary: "ask the subaccount or other reviewers about a hit or a payout on hold",
  object: "screening_hit",
  may: "receivers.review",
  in: "subaccount",
  doors: ["console"],
  input: input({
    kind: required(Type.Unsafe<"hit" | "hold">(Type.String({ enum: ["hit", "hold"] }))),
    id: idField("CONS110"),
    note: required(reasonText),
    audience: required(
      Type.Unsafe<(typeof noteAudiences)[number]>(Type.String({ enum: [...noteAudiences] })),
    ),
  }),
  async run({ tx, who, atMs, subaccount }, { kind, id, note, audience }) {
    const key = { subaccountId: subaccount.id, id };
    const receiver = kind === "hit" ? await receiverOfHit(tx, key) : await receiverOfHold(tx, key);
    await insertReviewNote(tx, receiver, { kind, objectId: id, audience, note, who, atMs });
    const object = { kind: kind === "hit" ? "screening_hit" : "payout", id };
    const entries = [{ action: "review.ask", object, after: { audience } }];
    return { result: { id, notes: await listReviewNotes(tx, receiver) }, entries };
  },
});

async function receiverOfHit(tx: Tx, key: HitKey): Promise<ReceiverKey> {
  const hit = await findHit(tx, key);
  if (!hit) throw new Refusal("CONS110");
  if (hit.status !== "open") throw new Refusal("CONS602");
  return { subaccountId: key.subaccountId, id: hit.receiver_id };
}

async function receiverOfHold(tx: Tx, key: PayoutKey): Promise<ReceiverKey> {
  const [payout] = await findPayouts(tx, [key]);
  const hold = await findHold(tx, key);
  if (!payout || !hold) throw new Refusal("CONS110");
  if (hold.decision !== null || payout.stage !== "on_hold") throw new Refusal("CONS508");
  return { subaccountId: key.subaccountId, id: payout.receiver_id };
}
