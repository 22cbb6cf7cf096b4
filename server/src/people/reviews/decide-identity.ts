// Decisions about an identity check. A reviewer decides it in the version that was shown; where the risk is high, two
// reviewers approve it. Someone with a shell is outside of these rules.

import Type from "typebox";
import { idField, input, required, requiredOfUsers } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { act, type Doing } from "../../tenants/acts/index.ts";
import { isOneUserEnough, requireOtherUser } from "../../tenants/four-eyes/index.ts";
import { isProven } from "../../tenants/roles/index.ts";
import { decideKyc, type KycOutcome } from "../kyc/index.ts";
import { openPerson } from "../person/index.ts";
import { lockOrRefuse, statesOf } from "../receivers/index.ts";
import { deleteClaim, deleteVotes, insertVote, listVotes } from "./case-queries.ts";
import { requireUnclaimed } from "./claims.ts";
import { caseVersion, reasonText } from "./fields.ts";
import { isOverride, rejectReasons, versionOf } from "./identity.ts";
import { findRisk } from "./risk.ts";

const row = { object: "receiver", may: "receivers.review", in: "subaccount" } as const;
const receiver = { id: idField("CONS110"), version: caseVersion };
const reason = required(reasonText);

type Ruling = {
  verdict: KycOutcome;
  /** The subaccount can read it. */
  reason: string;
  label?: string | undefined;
};

export const approveIdentity = act({
  ...row,
  name: "review.approve",
  tokens: "logins",
  summary: "approve the identity, also after a failed check",
  twoPeople:
    "Approve the identity of a receiver that resembles another, or whose check has failed before",
  doors: ["console", "cli"],
  input: input({ ...receiver, reason }),
  run: (doing, { reason, ...seen }) =>
    decide(doing, seen, { verdict: { verdict: "approve" }, reason }),
});

export const rejectIdentity = act({
  ...row,
  name: "review.reject",
  summary: "reject the identity, finally or with another try",
  doors: ["console", "cli"],
  input: input({
    ...receiver,
    reason_code: requiredOfUsers(
      Type.Unsafe<keyof typeof rejectReasons>(Type.String({ enum: Object.keys(rejectReasons) })),
    ),
    note: reason,
    final: required(Type.Boolean()),
  }),
  run: (doing, { reason_code: label, note, final, ...seen }) => {
    const reason = label ? `${rejectReasons[label]}: ${note}` : note;
    return decide(doing, seen, { verdict: { verdict: "reject", final }, reason, label });
  },
});

export const askForMore = act({
  ...row,
  name: "review.need-more",
  summary: "ask the receiver for more, and let it try again",
  doors: ["console"],
  input: input({ ...receiver, note: reason }),
  run: (doing, { note, ...seen }) =>
    decide(doing, seen, {
      verdict: { verdict: "reject", final: false },
      reason: note,
      label: "need_more",
    }),
});

async function decide(
  { tx, seal, actor, session, who, atMs, subaccount }: Doing,
  { id, version }: { id: string; version?: string },
  { verdict, reason, label }: Ruling,
) {
  const key = { subaccountId: subaccount.id, id };
  const current = openPerson(seal, key.subaccountId, await lockOrRefuse(tx, key));
  const before = statesOf(current);
  if (session) {
    if (versionOf(current) !== version) throw new Refusal("CONS602");
    await requireUnclaimed(tx, key, actor, atMs);
    const { hasFailed, isHigh } = await findRisk({ db: tx, seal }, key, current);
    const isOverridden = isOverride(verdict, current, hasFailed);
    if (isOverridden && !isProven(session, atMs)) throw new Refusal("CONS103");
    const isTwice = isHigh && !(await isOneUserEnough(tx, key.subaccountId));
    if (verdict.verdict === "approve" && isTwice) {
      const { userId = "" } = actor;
      const votes = await listVotes(tx, key, versionOf(current));
      if (votes.length === 0) {
        await insertVote(tx, key, { userId, who, version: versionOf(current), atMs });
        await deleteClaim(tx, key, undefined);
        const result = { id, isDecided: false, ...before };
        return { result, id, action: "review.approve-first", before, after: before };
      }
      // A second approval by the same user does not count.
      if (votes.some(({ user_id }) => user_id === userId)) throw new Refusal("CONS603");
      await requireOtherUser(
        tx,
        votes.map((vote) => vote.who),
        { who },
      );
    }
  }
  const labels = label ? [label] : [];
  const states = await decideKyc(tx, key, { who, reason, atMs, labels, ...verdict });
  await deleteVotes(tx, key);
  await deleteClaim(tx, key, undefined);
  const after = { ...states, reason, ...(label && { reason_code: label }) };
  return { result: { id, isDecided: true, ...states }, id, before, after };
}
