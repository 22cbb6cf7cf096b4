// Previews a payout: decides on it as its creation would, without a lock and without writing.

import { type Caller, toNearest } from "../../platform/base/index.ts";
import type { Runner } from "../../platform/db/index.ts";
import type { GivenFields } from "../../platform/fields/index.ts";
import { type Problem, Refusal } from "../../platform/refusals/index.ts";
import type { Charge, RailDirectory, RailSchedule } from "../rails/index.ts";
import { isRefused, toPayoutCreation } from "./create.ts";
import { decide } from "./decide.ts";
import {
  type ApprovalReason,
  noBalance,
  type PayoutRequest,
  refusalsOf,
  toPayoutRequest,
} from "./payout.ts";
import type { ValidatedPayout } from "./preview-schema.ts";
import { toSingleProblem } from "./problems.ts";
import { listPayoutBalances } from "./queries.ts";
import type { NewPayout } from "./schema.ts";

type PreviewParts = { db: Runner; rails: RailDirectory };

export type PreviewedPayout = {
  /** Why it would be refused: all reasons, first the one that its creation names. Empty: it would be accepted. */
  problems: readonly Problem[];
  /** Undefined where there is no rail for it. */
  charge: Charge | undefined;
  /** The thresholds by which it would need approval. */
  approval: readonly ApprovalReason[];
  /** By a threshold or by a rule. */
  needsApproval: boolean;
  /** It would be on hold. */
  needsReview: boolean;
  /** Of one that would be accepted. */
  schedule: Pick<RailSchedule, "processDate" | "expectedArrival"> | undefined;
};

export async function previewPayout(
  { db, rails }: PreviewParts,
  caller: Caller,
  request: PayoutRequest,
): Promise<PreviewedPayout> {
  const { subaccountId } = caller;
  const { currency } = request;
  const state = (await listPayoutBalances(db, subaccountId)).get(currency) ?? noBalance;
  const book = {
    balances: new Map([[`${subaccountId} ${currency}`, state]]),
    duplicates: new Map(),
    isPreview: true,
  };
  const creation = toPayoutCreation(caller, request);
  const { outcomes, toInsert, approvals, matches } = await decide(db, rails, book, [creation]);
  const [outcome] = outcomes;
  if (outcome && isRefused(outcome)) {
    return {
      problems: refusalsOf(outcome.facts).map((refused) =>
        toSingleProblem({ ...outcome, refused }),
      ),
      charge: outcome.facts.route?.charge,
      approval: [],
      needsApproval: false,
      needsReview: false,
      schedule: undefined,
    };
  }
  const [row] = toInsert;
  if (!row) throw new Error("a payout must be accepted or refused");
  return {
    problems: [],
    charge: { fee: BigInt(row.fee ?? 0), sentAmount: BigInt(row.sent_amount ?? row.amount) },
    approval: approvals.get(creation.id) ?? [],
    needsApproval:
      approvals.has(creation.id) || matches.some(({ rule }) => rule.then.act !== "hold"),
    needsReview: row.stage === "on_hold",
    schedule: { processDate: row.process_date, expectedArrival: row.expected_arrival },
  };
}

/** The answer of the dry run. Problems of the form hide all others, as they do at the creation. */
export async function validatePayout(
  parts: PreviewParts,
  caller: Caller,
  given: GivenFields<NewPayout>,
): Promise<ValidatedPayout> {
  const request = requestIn(given);
  if (request instanceof Refusal) return presentPreview({ problems: request.problems });
  return presentPreview(await previewPayout(parts, caller, request));
}

function requestIn(given: GivenFields<NewPayout>): PayoutRequest | Refusal {
  if (given instanceof Refusal) return given;
  try {
    return toPayoutRequest(given);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function presentPreview(preview: Partial<PreviewedPayout>): ValidatedPayout {
  const { problems = [], charge, approval = [], schedule } = preview;
  const { needsApproval = false, needsReview = false } = preview;
  // A fee may use up the amount.
  const sent = charge && charge.sentAmount > 0n ? charge.sentAmount : undefined;
  return {
    accepted: problems.length === 0,
    problems: [...problems],
    fee: charge ? toNearest(charge.fee) : null,
    sent_amount: sent === undefined ? null : toNearest(sent),
    needs_approval: needsApproval,
    approval_rules: approval.map(({ rule }) => rule),
    needs_review: needsReview,
    process_date: schedule?.processDate ?? "",
    expected_arrival: schedule?.expectedArrival ?? "",
  };
}
