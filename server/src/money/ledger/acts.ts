// What users and commands do with the books.

import Type from "typebox";
import { idField, input, line, optional, required } from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { problem, Refusal } from "../../platform/refusals/index.ts";
import { act, call, callerOf } from "../../tenants/acts/index.ts";
import { audited } from "../../tenants/audit/index.ts";
import { fundMany, fundOnce } from "./fund.ts";
import { reverseFunding } from "./reverse.ts";

const amount = required(Type.Integer({ minimum: 1, maximum: Number(limits.amountMax) }));
const currency = required(Type.String({ format: "currency" }));

/** Safe to repeat: a reference funds a balance once. */
export const fundAct = call({
  name: "ledger.fund",
  summary: "record money that has arrived at the bank for a subaccount",
  object: "transfer",
  may: "banks.release",
  in: "open subaccount",
  doors: ["cli"],
  input: input({
    currency,
    amount,
    reference: required(
      Type.String({
        maxLength: 100,
        pattern: line,
        description: "the bank's reference; each reference funds only once",
      }),
    ),
    rail: optional(Type.String({ description: "the bank connection that has the money" })),
  }),
  async perform(parts, by, { currency, amount, reference, rail }) {
    const { actor } = by;
    const { subaccountId } = callerOf(by);
    const money = { subaccountId, currency, amount: BigInt(amount), reference, rail };
    const db = audited(parts, actor).db<string>((id) => ({
      action: "ledger.fund",
      object: { kind: "transfer", id },
      after: { amount, currency, reference },
    }));
    return { ...money, ...(await fundOnce(db, { ...money, who: actor.who, atMs: parts.clock() })) };
  },
});

export const reverseFundingAct = call({
  name: "ledger.reverse",
  summary: "reverse a funding that was a mistake, with a new entry",
  object: "transfer",
  may: "banks.release",
  in: "subaccount",
  doors: ["cli"],
  input: input({
    id: idField("CONS110"),
    reason: required(
      Type.String({ maxLength: 100, pattern: line, description: "why; shown in the statement" }),
    ),
  }),
  perform(parts, by, { id, reason }) {
    const { actor } = by;
    const { subaccountId } = callerOf(by);
    const object = { kind: "transfer", id };
    const db = audited(parts, actor).db({ action: "ledger.reverse", object, after: { reason } });
    const reversal = { subaccountId, transferId: id, reason, who: actor.who, atMs: parts.clock() };
    return reverseFunding(db, reversal);
  },
});

/** Pressed twice, the button adds the funds once. */
export const addTestFundsAct = act({
  name: "balance.add_test_funds",
  summary: "add test funds to a balance",
  object: "balance",
  may: "balances.fund",
  in: "open subaccount",
  doors: ["console", "cli"],
  input: input({
    amount,
    currency,
    key: required(
      Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: line,
        description: "One key adds funds once",
      }),
    ),
    reference: optional(
      Type.String({ maxLength: 100, pattern: line, description: "In the statement" }),
    ),
  }),
  async run(
    { tx, subaccount, who, atMs },
    { amount, currency, key, reference = `console ${key}` },
  ) {
    if (subaccount.mode !== "test") throw new Refusal("CONS808");
    const balance = { subaccountId: subaccount.id, currency };
    const funding = { ...balance, amount: BigInt(amount), reference, who, atMs };
    const [funded] = await fundMany(tx, [funding]);
    if (!funded || funded.outcome === "too-large")
      throw new Refusal([problem("BALA107", "amount")]);
    const isAgain = funded.outcome === "funded-before";
    if (isAgain && funded.amount !== funding.amount) {
      throw new Refusal([problem("CONS108", "key")]);
    }
    const { transferId } = funded;
    return {
      result: { ...balance, amount: funding.amount, reference, transferId, isAgain },
      id: isAgain ? undefined : currency,
      after: { amount, currency, reference },
    };
  },
});
