// A user sets the outcome of an identity check or a payout of a test subaccount.

import { Refusal } from "../../platform/refusals/index.ts";
import { act } from "../../tenants/acts/index.ts";
import { OutcomeSet, OutcomeToSimulate } from "./schema.ts";
import { setTestStatus } from "./set-status.ts";

export const simulateOutcomeAct = act({
  name: "payout.simulate_outcome",
  summary: "set the outcome of an identity check or a payout",
  object: "payout",
  may: "outcomes.simulate",
  in: "open subaccount",
  doors: ["console"],
  input: OutcomeToSimulate,
  output: OutcomeSet,
  async run({ tx, subaccount, who, atMs }, { id, type, status: end }) {
    if (subaccount.mode !== "test") throw new Refusal("CONS810");
    const key = { subaccountId: subaccount.id, id: id.toLowerCase() };
    const status = await setTestStatus(tx, key, { type, end, causeCode: "", who, atMs });
    const kind = type === "kyc" ? "receiver" : "payout";
    const action = `${kind}.simulate_outcome`;
    const entry = { action, object: { kind, id }, after: { outcome: end } };
    return { result: { status }, entries: [entry] };
  },
});
