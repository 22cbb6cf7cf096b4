// Reads a payout on hold as a case: the rules with their figures, the receiver, the account, hits and earlier payouts.

import { findHold, type HoldRow, holdVersionOf } from "../../../../money/hits/index.ts";
import {
  areApprovalsMet,
  findApprovalState,
  findPayouts,
  type HoldReason,
  listPayoutHistory,
  listPayouts,
  listRuleMatches,
  makersOf,
  type PayoutKey,
  type RuleMatchRow,
} from "../../../../money/payouts/index.ts";
import { figuresInWords } from "../../../../money/rules/index.ts";
import type { ReceiverKey } from "../../../../people/receivers/index.ts";
import { listReviewNotes } from "../../../../people/reviews/index.ts";
import { type HitRow, listHitsOfReceiver } from "../../../../people/screening/index.ts";
import { newestId, toNumber } from "../../../../platform/base/index.ts";
import type { Db } from "../../../../platform/db/index.ts";
import type { Seal } from "../../../../platform/encryption/index.ts";
import { conflictsOf } from "../../../../tenants/four-eyes/index.ts";
import { actorInWords, firstOfAll } from "../../../review-list/index.ts";
import { listAccountLines } from "../../receivers/account-queries.ts";
import { namesOfKeys } from "../../receivers/detail.ts";
import { whyNotApprove } from "../../why-not.ts";
import { readCaseFields } from "../case-fields.ts";
import { type CaseReader, presentHit } from "../hits/case.ts";
import { notesAbout } from "../notes.ts";
import { findPayoutMakers } from "./queries.ts";
import type { HoldCase, HoldReasonLine } from "./schema.ts";

const earlierShown = 10;

/** Undefined if the subaccount has no such payout, or it was never on hold. */
export async function readHoldCase(
  { db, seal }: { db: Db; seal: Seal },
  key: PayoutKey,
  reader: CaseReader,
): Promise<HoldCase | undefined> {
  const [[payout], hold] = await Promise.all([findPayouts(db, [key]), findHold(db, key)]);
  if (!payout || !hold) return undefined;
  const { subaccountId } = key;
  const receiverKey: ReceiverKey = { subaccountId, id: payout.receiver_id };
  const since = Number(hold.since_ms);
  const [fields, rules, hits, accounts, earlier, history, notes, keys, makers] = await Promise.all([
    readCaseFields({ db, seal }, receiverKey, {
      since,
      userId: reader.user.id,
      nowMs: reader.nowMs,
    }),
    listRuleMatches(db, key),
    listHitsOfReceiver(db, { subaccountId, receiverId: payout.receiver_id }),
    listAccountLines(db, receiverKey),
    listPayouts(db, earlierPayouts(receiverKey)),
    listPayoutHistory(db, key),
    listReviewNotes(db, receiverKey),
    namesOfKeys(db, subaccountId),
    findPayoutMakers(db, key),
  ]);
  if (!fields || !makers) return undefined;
  const names = { keys, showsUsers: true };
  const waits = hold.decision === null && payout.stage === "on_hold";
  const { user, who } = reader;
  const [conflict] = await conflictsOf(db, [makersOf(makers)], {
    who,
    in: key.subaccountId,
  });
  const isApproved = waits && areApprovalsMet(await findApprovalState(db, key));
  return {
    kind: "hold",
    payout_id: payout.id,
    ...fields,
    waits,
    version: holdVersionOf(payout, hold),
    payout: {
      amount: toNumber(BigInt(payout.amount)),
      currency: payout.currency,
      reference: payout.reference,
      note: payout.note,
      stage: payout.stage,
      send_on: payout.send_on,
      created_at: Number(payout.created_at_ms),
      created_by: actorInWords(makers.created_by, names),
    },
    reasons: hold.reasons.map((reason) => presentReason(reason, rules, payout.currency)),
    decided: decidedOf(hold),
    account: accounts.find(({ id }) => id === payout.account_id) ?? null,
    hits: hits.map(presentHit),
    payouts: earlier
      .filter(({ id }) => id !== payout.id)
      .slice(0, earlierShown)
      .map(({ id, amount, currency, status, stage, created_at_ms }) => ({
        id,
        amount: toNumber(BigInt(amount)),
        currency,
        status,
        stage,
        created_at: Number(created_at_ms),
      })),
    history: history.map(({ id, at_ms, who, to_stage, reason }) => ({
      id,
      at: Number(at_ms),
      who: actorInWords(who, names),
      stage: to_stage,
      reason,
    })),
    notes: notesAbout(notes, payout.id),
    release_to: waits ? (isApproved ? "queued" : "awaiting_approval") : null,
    why_not_release: whyNotHits(hits) ?? whyNotApprove(user, "payouts.release", conflict),
  };
}

function whyNotHits(hits: readonly HitRow[]): string | null {
  if (hits.some(({ status }) => status === "open")) return "Decide the open hit first";
  return hits.length > 0 ? "The receiver is the person on a list" : null;
}

function presentReason(
  reason: HoldReason,
  rules: readonly RuleMatchRow[],
  currency: string,
): HoldReasonLine {
  if (reason.kind === "screening") return { kind: "screening", name: "", figures: "" };
  const rule = rules.find(({ rule_id }) => rule_id === reason.rule_id);
  const figures = rule ? figuresInWords(rule.figures, currency) : "";
  return { kind: "rule", name: rule?.name ?? reason.rule_id, figures };
}

function decidedOf(hold: HoldRow): HoldCase["decided"] {
  if (hold.decision === null) return null;
  return {
    decision: hold.decision,
    who: hold.decided_by ?? "",
    at: Number(hold.decided_at_ms),
    reason: hold.decided_why,
  };
}

function earlierPayouts({ subaccountId, id: receiverId }: ReceiverKey) {
  return {
    subaccountId,
    receiverId,
    status: undefined,
    accountId: undefined,
    reference: undefined,
    batchId: undefined,
    metadata: undefined,
    beforeId: newestId,
    fromId: firstOfAll,
    limit: earlierShown + 1,
  };
}
