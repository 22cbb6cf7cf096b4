// Sample data of an empty test subaccount, through the acts that users do by hand, and its removal: nothing is deleted,
// because the books and the audit log keep what happened.

import { addTestFundsAct } from "../../money/ledger/index.ts";
import { cancelPayoutAct, createPayoutAct, type MakeParts } from "../../money/payouts/index.ts";
import {
  addAccount,
  approveBankChange,
  closeReceiverAccount,
} from "../../people/accounts/index.ts";
import {
  createReceiver,
  deactivateReceiver,
  type ReceiverActParts,
} from "../../people/receivers/index.ts";
import { NoFields } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type ActBy, type ActParts, call, callerOf } from "../../tenants/acts/index.ts";
import { audited } from "../../tenants/audit/index.ts";
import { isOneUserEnough } from "../../tenants/four-eyes/index.ts";
import { findSampleRows, findSampleState, sampleReference } from "./sample-queries.ts";
import { simulateOutcomeAct } from "./simulate.ts";

type SampleParts = ActParts & ReceiverActParts & MakeParts;

const person = { gender: "F", dialcode: "61", address2: "", country: "AUS" };
const melbourne = { city: "Melbourne", state: "VIC", postcode: "3004" };

const receivers = [
  {
    ...{ ...person, ...melbourne, first_name: "Wanda", last_name: "Sample", phone: "412345670" },
    ...{ email: "wanda@sample.example", dob: "1990-12-10", address: "1 St. Kilda Road" },
    account: { account_type: "I", bsb: "062000", account_number: "12345999" },
  },
  {
    ...{ ...person, ...melbourne, first_name: "Milo", last_name: "Sample", phone: "412345671" },
    ...{ email: "milo@sample.example", dob: "1986-03-09", address: "20 Collins Street" },
    account: { account_type: "I", bsb: "083004", account_number: "001234567" },
  },
  // The identity check of this one fails.
  {
    ...{ ...person, ...melbourne, first_name: "Rosa", last_name: "Sample", phone: "412345672" },
    ...{ email: "rosa@sample.example", dob: "1979-06-23", address: "7 Harbour Lane" },
    account: undefined,
  },
];

const currency = "AUD";
const dayMs = 86_400_000;

/** What becomes of each payout, in order. The last ones are paid by the sandbox bank, and sent in a week. */
const payouts = [
  { to: 0, amount: 125_00, outcomes: ["success"] },
  { to: 1, amount: 480_50, outcomes: ["success", "return"] },
  { to: 1, amount: 99_00, outcomes: ["fail"] },
  { to: 0, amount: 1_250_00, outcomes: [] },
  { to: 0, amount: 310_00, outcomes: [], inDays: 7 },
] as const;

const row = {
  object: "subaccount",
  // Its roles have the permission of each act below.
  may: "payouts.create",
  stepUp: true,
  in: "open subaccount",
  doors: ["console"],
  input: NoFields,
} as const;

export const addSampleData = call({
  ...row,
  name: "subaccount.add_samples",
  summary: "add receivers, accounts and payouts as examples to an empty test subaccount",
  async perform(parts: SampleParts, by): Promise<void> {
    const { subaccountId } = callerOf(by);
    const isAllowed = await isOneUserEnough(parts.db, subaccountId);
    const { isEmpty } = await findSampleState(parts.db, subaccountId);
    if (!isAllowed || !isEmpty) throw new Refusal("CONS811");
    // Recorded first: an entry that follows with the same request is of a sample.
    await record(parts, by, "subaccount.add_samples");
    // Two clicks make the same rows once.
    const onceOf = (what: string, number: number) => `sample-${subaccountId}-${what}${number}`;
    const funds = { amount: 5_000_00, currency, key: subaccountId };
    await addTestFundsAct.perform(parts, by, funds);
    const made: { receiver_id: string; account_id: string }[] = [];
    for (const [number, { account, ...given }] of receivers.entries()) {
      const reference = sampleReference(number + 1);
      const once = onceOf("r", number);
      const id = await createReceiver.perform(parts, by, { ...given, reference, once });
      await simulate(parts, by, { id, type: "kyc", status: account ? "success" : "fail" });
      if (!account) continue;
      const details = { receiver_id: id, ...account };
      const { change_id = "" } = await addAccount.perform(parts, by, {}, details);
      const { account_id } = await approveBankChange.perform(parts, by, { id: change_id });
      made.push({ receiver_id: id, account_id: account_id ?? "" });
    }
    for (const [number, { to, amount, outcomes, ...rest }] of payouts.entries()) {
      const payout = {
        ...(made[to] as (typeof made)[number]),
        ...{ amount, currency, reference: `SAMPLE-${number + 1}`, once: onceOf("p", number) },
        ...("inDays" in rest && { send_on: dayIn(parts.clock() + rest.inDays * dayMs) }),
      };
      const { payout_id: id } = await createPayoutAct.perform(parts, by, payout);
      for (const status of outcomes) await simulate(parts, by, { id, type: "payout", status });
    }
  },
});

export const removeSampleData = call({
  ...row,
  name: "subaccount.remove_samples",
  summary: "cancel the payouts of the sample data, close its accounts and deactivate its receivers",
  async perform(parts: SampleParts, by): Promise<void> {
    const { subaccountId } = callerOf(by);
    if (by.subaccount?.mode !== "test") throw new Refusal("CONS811");
    const rows = await findSampleRows(parts.db, subaccountId);
    for (const id of rows.payouts) await cancelPayoutAct.perform(parts, by, { id });
    for (const id of rows.accounts) await closeReceiverAccount.perform(parts, by, { id });
    const reason = "sample data was removed";
    for (const id of rows.receivers) await deactivateReceiver.perform(parts, by, { id, reason });
    if (rows.receivers.length > 0) await record(parts, by, "subaccount.remove_samples");
  },
});

const record = (parts: ActParts, by: ActBy, action: string) => {
  const { subaccountId } = callerOf(by);
  const object = { kind: "subaccount", id: subaccountId };
  return audited(parts, by.actor).transaction({ action, object, subaccountId }, async () => {});
};

const dayIn = (ms: number) => new Date(ms).toISOString().slice(0, 10);

type Outcome = Parameters<typeof simulateOutcomeAct.perform>[2];

/** What waits for an approval, by the thresholds of the subaccount, or what the sandbox was faster with, stays as it is. */
async function simulate(parts: ActParts, by: ActBy, outcome: Outcome): Promise<void> {
  try {
    await simulateOutcomeAct.perform(parts, by, outcome);
  } catch (error) {
    const isMoved = error instanceof Refusal && error.problems[0].code === "PAYO302";
    if (!isMoved) throw error;
  }
}
