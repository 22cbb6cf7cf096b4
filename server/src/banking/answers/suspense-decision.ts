// Decisions about suspense items: what each moves, and how it is applied.

import type { Tx } from "../../platform/db/index.ts";
import { type BankDecision, type DecidedMoney, summaryOf } from "../requests/index.ts";
import { findSentByPayout, lockPayouts } from "./inbound-queries.ts";
import {
  closeSuspense,
  type Deciding,
  fundBySuspense,
  giveSuspenseToCompany,
  lockSuspenseItem,
  matchSuspense,
  returnSuspense,
  splitSuspense,
  undoSuspense,
} from "./suspense.ts";
import { listSuspenseActs, type SuspenseRow } from "./suspense-queries.ts";

export type SuspenseDecision =
  | { act: "match"; payoutId: string }
  | { act: "split"; amounts: readonly number[] }
  | { act: "fund"; subaccountId: string }
  | { act: "company" | "return" | "close" | "undo" };

export type SuspenseInput = { id: string; reason: string; decision: SuspenseDecision };

export const suspenseDecisions: BankDecision<SuspenseInput> = {
  kind: "suspense",
  async factsOf(tx, { id, decision }) {
    const item = await lockSuspenseItem(tx, id);
    const money = await moneyOf(tx, item, decision);
    return {
      connectionId: item.connection_id,
      objectId: item.id,
      mode: item.mode,
      state: `${item.status} ${item.acts}`,
      needs: money ?? "nothing",
      summary: summaryOf(decision.act, { currency: "", amount: 0n, ...money, count: 1 }),
    };
  },
  async apply(tx, { id, reason, decision }, by) {
    const made = await run(tx, { id, reason, ...by }, decision);
    const { act, ...facts } = decision;
    return {
      action: `suspense.${act}`,
      object: { kind: "bank_suspense_item", id },
      after: { reason, ...facts, ...made },
    };
  },
};

/** Undefined: it moves neither money nor a payout. */
async function moneyOf(
  tx: Tx,
  item: SuspenseRow,
  decision: SuspenseDecision,
): Promise<DecidedMoney | undefined> {
  const { currency } = item;
  const amount = BigInt(item.amount ?? 0);
  switch (decision.act) {
    case "split":
    case "close":
      return undefined;
    case "match": {
      const [sent] = await findSentByPayout(tx, [decision.payoutId]);
      const [payout] = sent ? await lockPayouts(tx, [sent]) : [];
      // A report without an amount is about the whole payout.
      return {
        currency: payout?.currency ?? currency,
        amount: item.amount === null ? BigInt(payout?.sent_amount ?? 0) : amount,
        subaccountId: payout?.subaccount_id,
      };
    }
    case "fund":
      return { currency, amount, subaccountId: decision.subaccountId };
    case "undo": {
      const last = (await listSuspenseActs(tx, item.id)).at(-1);
      const isMoney = last && ["match", "fund", "company", "return"].includes(last.act);
      return isMoney
        ? { currency, amount, subaccountId: last.subaccount_id ?? undefined }
        : undefined;
    }
    default:
      return { currency, amount, subaccountId: undefined };
  }
}

/** Returns what it made, for the audit log. */
async function run(tx: Tx, deciding: Deciding, decision: SuspenseDecision): Promise<object> {
  switch (decision.act) {
    case "match":
      await matchSuspense(tx, decision.payoutId, deciding);
      return {};
    case "split":
      return { parts: await splitSuspense(tx, decision.amounts.map(BigInt), deciding) };
    case "fund":
      return { transfer: await fundBySuspense(tx, decision.subaccountId, deciding) };
    default:
      await simpleRuns[decision.act](tx, deciding);
      return {};
  }
}

const simpleRuns = {
  company: giveSuspenseToCompany,
  return: returnSuspense,
  close: closeSuspense,
  undo: undoSuspense,
};
