// What users do about suspense and recalls.

import Type from "typebox";
import { idField, idInBody, input, line, required } from "../../platform/fields/index.ts";
import { type ActBy, type ActParts, act, call, type Doing } from "../../tenants/acts/index.ts";
import { decideOrRequest, decisionReason } from "../requests/index.ts";
import { recordRecallOutcome, requestRecall } from "./recall.ts";
import { type RecallOutcome, type RecallRow, recallOutcomes } from "./recall-queries.ts";
import { DecidedSuspense } from "./schema.ts";
import { type SuspenseInput, suspenseDecisions } from "./suspense-decision.ts";
import { findSuspense } from "./suspense-queries.ts";

const item = { id: idField("BANK411"), reason: decisionReason };

const ofSuspense = {
  object: "bank_suspense_item",
  may: "banks.release",
  stepUp: true,
  doors: ["console", "cli"],
  output: DecidedSuspense,
} as const;
const ofMoney = {
  ...ofSuspense,
  twoPeople:
    "Decide about money in suspense, or undo such a decision: match, fund, give to the company, return",
} as const;

/** Much live money of a user waits for a second one. */
async function decide(parts: ActParts, { actor }: ActBy, given: SuspenseInput) {
  const requestId = await decideOrRequest(parts, actor, suspenseDecisions, given);
  const { status = "" } = (await findSuspense(parts.db, given.id)) ?? {};
  return { status, request_id: requestId ?? null };
}

export const matchSuspenseAct = call({
  ...ofMoney,
  name: "suspense.match",
  summary: "the item is about this payout",
  input: input({ ...item, payout_id: required(idInBody("BANK413")) }),
  perform: (parts: ActParts, by: ActBy, { payout_id: payoutId, ...given }) =>
    decide(parts, by, { ...given, decision: { act: "match", payoutId } }),
});

export const splitSuspenseAct = call({
  ...ofSuspense,
  name: "suspense.split",
  summary: "divide an item; amounts are in minor units",
  input: input({
    ...item,
    amounts: required(
      Type.Array(Type.Integer({ minimum: 1 }), {
        minItems: 2,
        maxItems: 100,
        description: "Minor units",
      }),
    ),
  }),
  perform: (parts: ActParts, by: ActBy, { amounts, ...given }) =>
    decide(parts, by, { ...given, decision: { act: "split", amounts } }),
});

export const fundBySuspenseAct = call({
  ...ofMoney,
  name: "suspense.fund",
  summary: "the money is the subaccount's",
  input: input({ ...item, subaccount_id: required(idInBody("BANK421")) }),
  perform: (parts: ActParts, by: ActBy, { subaccount_id: subaccountId, ...given }) =>
    decide(parts, by, { ...given, decision: { act: "fund", subaccountId } }),
});

function simpleAct(act: "company" | "return" | "close" | "undo", summary: string) {
  return call({
    ...(act === "close" ? ofSuspense : ofMoney),
    name: `suspense.${act}`,
    summary,
    input: input(item),
    perform: (parts: ActParts, by: ActBy, given) =>
      decide(parts, by, { ...given, decision: { act } }),
  });
}

/** By their last words in paths and commands. */
export const simpleSuspenseActs = {
  company: simpleAct("company", "the money is the company's own"),
  return: simpleAct("return", "the money went back to the bank"),
  close: simpleAct("close", "an item without money that needs nothing"),
  undo: simpleAct("undo", "take the last decision back, by a new entry"),
} as const;

const ofRecall = { object: "payout", may: "banks.release", doors: ["console", "cli"] } as const;
const payoutId = idField("BANK431");
const note = (description: string) =>
  required(Type.String({ minLength: 1, maxLength: 500, pattern: line, description }));

export const recallPayout = act({
  ...ofRecall,
  name: "payout.recall",
  summary: "record that the bank was asked to give a payment back; no money moves",
  input: input({ id: payoutId, note: note("how and why the bank was asked") }),
  async run(doing, { id, note }) {
    return recalled(await requestRecall(doing.tx, recallingOf(doing, id, note)), note);
  },
});

export const recordRecallOutcomeAct = act({
  ...ofRecall,
  name: "payout.recall-outcome",
  summary: "record the bank's answer; money comes back only by a return",
  input: input({
    id: payoutId,
    outcome: required(Type.Unsafe<RecallOutcome>(Type.String({ enum: [...recallOutcomes] }))),
    note: note("what the bank said"),
  }),
  async run(doing, { id, outcome, note }) {
    const answered = { ...recallingOf(doing, id, note), outcome };
    return recalled(await recordRecallOutcome(doing.tx, answered), note);
  },
});

/** A command may name a payout of any subaccount. */
function recallingOf({ actor, who, atMs }: Doing, payoutId: string, note: string) {
  return { subaccountId: actor.subaccountId, payoutId, note, who, atMs };
}

function recalled(row: RecallRow, note: string) {
  const { payout_id: id, subaccount_id: subaccountId, outcome } = row;
  return { result: row, id, subaccountId, after: { note, outcome } };
}
