// Recalls in the console: a user records that the bank was asked for a payout, and what it answered.

import { expect, test } from "vitest";
import { newId } from "../../../src/platform/base/ids.ts";
import { startBankConsole } from "../../support/bank-console.ts";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { outcomeOf } from "../../support/service.ts";

const service = await closeAfterTests(startBankConsole());

async function newSentPayout() {
  const payer = await service.newPayer();
  const connectionId = await service.connect(payer.subaccountId, [payer.subaccountId]);
  const { payout_id: id } = await payer.pay(900);
  const path = `/s/${payer.subaccountId}/payouts/${id}`;
  return { payer, connectionId, id, path, send: () => service.sendFile(connectionId) };
}

test("a recall and its answer are recorded, shown and audited, and the payout stays as it is", async () => {
  const { payer, connectionId, id, path, send } = await newSentPayout();
  const [finance, operator] = [service.enter("finance"), service.enter("operator")];
  const ask = () => finance.post(`${path}/recall`, { note: "called the bank" });
  const answer = { outcome: "refused", note: "already paid out" };
  expect((await finance.get(path)).json).toMatchObject({ recalls: [], is_recallable: false });
  expect(outcomeOf(await ask())).toBe("404 BANK431");
  await send();
  expect((await finance.get(path)).json).toMatchObject({ recalls: [], is_recallable: true });
  expect(outcomeOf(await operator.post(`${path}/recall/outcome`, answer))).toBe("404 BANK434");
  expect(outcomeOf(await ask())).toBe("204");
  expect(outcomeOf(await ask())).toBe("409 BANK433");
  expect((await operator.get(path)).json).toMatchObject({
    recalls: [{ note: "called the bank", outcome: "waiting", decided_at: null }],
    is_recallable: false,
  });
  expect(outcomeOf(await operator.post(`${path}/recall/outcome`, answer))).toBe("204");
  const { json } = await operator.get(path);
  expect(json).toMatchObject({
    recalls: [{ outcome: "refused", outcome_note: "already paid out" }],
    is_recallable: true,
    stage: "submitted",
  });
  const entries = json.timeline.filter(({ title }: { title: string }) => /recall/i.test(title));
  expect(entries).toMatchObject([
    { title: "Recall requested from the bank", detail: "called the bank", kind: "act" },
    { title: "Recall refused by the bank", detail: "already paid out" },
  ]);
  expect(entries[0].who).toBe(finance.who.replace("operator:", ""));
  const acts = json.acts.map(({ action, who }: { action: string; who: string }) => [action, who]);
  expect(acts).toEqual([
    ["payout.recall-outcome", operator.who],
    ["payout.recall", finance.who],
  ]);
  // Paid is still at the bank; the money comes back only by a return.
  await service.settle(connectionId);
  expect((await finance.get(path)).json).toMatchObject({ stage: "settled", is_recallable: true });
  expect((await payer.disburse.payouts.get(id)).stage).toBe("settled");
});

test("a developer sees that an operator recorded a recall, and not which one", async () => {
  const { path, payer, send } = await newSentPayout();
  await send();
  // A recall that was withdrawn can be asked for again.
  for (const role of ["admin", "operator", "finance"] as const) {
    const user = service.enter(role);
    expect(outcomeOf(await user.post(`${path}/recall`, { note: "x" })), role).toBe("204");
    const answer = { outcome: "withdrawn", note: "x" };
    expect(outcomeOf(await user.post(`${path}/recall/outcome`, answer)), role).toBe("204");
  }
  const developer = service.enter("developer", { subaccountId: payer.subaccountId });
  const { json } = await developer.get(path);
  expect(json.recalls[0]).toMatchObject({ requested_by: "an operator", decided_by: "an operator" });
});

test("a recall without a note, with another outcome, or of another subaccount's payout is refused", async () => {
  const { path, id, send } = await newSentPayout();
  await send();
  const finance = service.enter("finance");
  expect(outcomeOf(await finance.post(`${path}/recall`, {}))).toBe("400 CONS107");
  expect(outcomeOf(await finance.post(`${path}/recall`, { note: "" }))).toBe("400 CONS107");
  const odd = { outcome: "maybe", note: "x" };
  expect(outcomeOf(await finance.post(`${path}/recall/outcome`, odd))).toBe("400 CONS108");
  const { subaccountId } = await service.newCaller({ mode: "live" });
  for (const other of [id, newId()]) {
    const answer = await finance.post(`/s/${subaccountId}/payouts/${other}/recall`, { note: "x" });
    expect(outcomeOf(answer)).toBe("404 BANK431");
  }
  expect((await finance.get(path)).json.recalls).toEqual([]);
});
