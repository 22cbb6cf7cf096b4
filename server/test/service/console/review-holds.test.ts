// Payouts on hold in the review queue: release and refuse, questions, claims, and who may do what.

import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyLedger } from "../../../src/money/ledger/verify.ts";
import type { ConsoleService, TestPerson } from "../../support/console.ts";
import { closeSubaccount } from "../../support/keys.ts";
import {
  codeOf,
  idsIn,
  newReviewedPayer,
  pathOf,
  type reviewTools,
  stageOf,
  startReviewQueue,
} from "../../support/review-cases.ts";

let service: ConsoleService;
let operator: TestPerson;
let second: TestPerson;
let tools: ReturnType<typeof reviewTools>;
beforeAll(async () => {
  ({ service, operator, second, tools } = await startReviewQueue());
});
afterAll(async () => {
  expect((await verifyLedger(service.db)).differences).toEqual([]);
  await service.close();
});

test("a payout on hold shows its rule with figures, account, history and earlier payouts; a release queues it", async () => {
  const payer = await newReviewedPayer(service);
  const earlier = await payer.pay(1_000);
  const id = await payer.payHeldByRule(150_000, "Invoice 7");
  const shown = await tools.caseOf("hold", payer, id);
  expect(shown).toMatchObject({
    kind: "hold",
    payout: { amount: 150_000, currency: "AUD", reference: "Invoice 7", stage: "on_hold" },
    reasons: [
      {
        kind: "rule",
        name: "More than 1,000.00 to one receiver in a day",
        figures: "receiver: 1,500.00 AUD within a day, above 1,000.00 AUD",
      },
    ],
    account: { id: payer.account_id, account_number: expect.stringContaining("999") },
    payouts: [{ id: earlier }],
    hits: [],
    release_to: "queued",
    why_not_release: null,
  });
  expect(shown.history.map(({ stage }: { stage: string }) => stage)).toEqual(["on_hold", "queued"]);
  const done = await tools.decide(["hold", payer, id], "release");
  expect(done.json).toEqual({ status: "pending", stage: "queued" });
  expect(await tools.actionsOn(id)).toEqual(["payout.release"]);
  expect(await tools.caseOf("hold", payer, id)).toMatchObject({
    waits: false,
    decided: { decision: "released", who: operator.who, reason: "compared the passports" },
  });
  const line = (await operator.get("/reviews?tab=decided&kind=hold&limit=1")).json.rows[0];
  expect(line).toMatchObject({ case_id: id, decision: { outcome: "released" } });
});

test("the user who created a payout can't release it, and can refuse it", async () => {
  const payer = await newReviewedPayer(service);
  const id = await payer.payHeldByRule(5_000);
  await service.db.pool.query("update payout set created_by = $2 where id = $1", [
    id,
    operator.who,
  ]);
  expect((await tools.caseOf("hold", payer, id)).why_not_release).toBe("Awaiting another approver");
  expect((await tools.caseOf("hold", payer, id, second)).why_not_release).toBeNull();
  expect(codeOf(await tools.decide(["hold", payer, id], "release"))).toBe("CONS402");
  const refused = await tools.decide(["hold", payer, id], "refuse");
  expect(refused.json).toEqual({ status: "failed", stage: "cancelled" });
  expect(await tools.actionsOn(id)).toEqual(["payout.refuse"]);
});

test("CONS604: a payout is not released while a hit of its receiver is open or confirmed", async () => {
  const payer = await newReviewedPayer(service);
  const id = await payer.payHeldByRule(5_000);
  await payer.openHit();
  expect((await tools.caseOf("hold", payer, id)).why_not_release).toBe("Decide the open hit first");
  expect(codeOf(await tools.decide(["hold", payer, id], "release"))).toBe("CONS604");
  expect(await stageOf(payer, id)).toBe("on_hold");
  expect((await tools.decide(["hold", payer, id], "refuse")).status).toBe(200);
});

test("CONS103: a different person needs a fresh proof only if payouts are released", async () => {
  const lately = service.enter("operator", { provenAtMs: Date.now() - 301_000 });
  const other = await newReviewedPayer(service);
  const hit = await other.openHit();
  const by = { person: lately };
  const releasing = await tools.decide(["hit", other, hit], "different", { ...by, release: true });
  expect(codeOf(releasing)).toBe("CONS103");
  expect(
    (await tools.decide(["hit", other, hit], "different", { ...by, release: false })).status,
  ).toBe(200);
});

test("CONS701: in a closed subaccount nothing is released, with a hit or alone", async () => {
  const payer = await newReviewedPayer(service);
  const id = await payer.payHeldByRule(5_000);
  const other = await newReviewedPayer(service);
  const behind = await other.pay(5_000);
  const hit = await other.openHit();
  await closeSubaccount(service.db, payer.subaccountId);
  await closeSubaccount(service.db, other.subaccountId);
  expect(codeOf(await tools.decide(["hold", payer, id], "release"))).toBe("CONS701");
  const releasing = await tools.decide(["hit", other, hit], "different", { release: true });
  expect(codeOf(releasing)).toBe("CONS701");
  const cleared = await tools.decide(["hit", other, hit], "different", { release: false });
  expect(cleared.json).toMatchObject({ status: "different", released: [] });
  const { rows } = await service.db.pool.query("select stage from payout where id = $1", [behind]);
  expect(rows).toEqual([{ stage: "on_hold" }]);
});

test("CONS601: a claim is about the receiver, and covers its hits and payouts on hold", async () => {
  const payer = await newReviewedPayer(service);
  const hit = await payer.openHit();
  const claim = `/reviews/${payer.subaccountId}/${payer.receiver_id}/claim`;
  expect((await second.post(claim)).status).toBe(200);
  expect(codeOf(await tools.decide(["hit", payer, hit], "different", { release: false }))).toBe(
    "CONS601",
  );
  expect(idsIn(await tools.queueOf(payer, "tab=unassigned"))).toEqual([]);
  const mine = (await second.get("/reviews?tab=mine")).json.rows;
  expect(mine).toMatchObject([{ kind: "hit", case_id: hit, claim: { is_mine: true } }]);
  const done = await tools.decide(["hit", payer, hit], "different", {
    person: second,
    release: false,
  });
  expect(done.status).toBe(200);
});

test("a question to the subaccount is on the receiver's page without a name; one to reviewers is not", async () => {
  const payer = await newReviewedPayer(service);
  const id = await payer.payHeldByRule(5_000);
  const path = `${pathOf("hold", payer, id)}/ask`;
  await operator.post(path, { note: "Which invoice is this?", audience: "subaccount" });
  const asked = await operator.post(path, {
    note: "Looks like a list match",
    audience: "reviewers",
  });
  expect(asked.json.notes).toMatchObject([
    { note: "Looks like a list match", audience: "reviewers", who: operator.who },
    { note: "Which invoice is this?", audience: "subaccount" },
  ]);
  expect((await tools.queueOf(payer)).map(({ why }) => why)).toEqual(["asked_for_more"]);

  const { subaccountId, receiver_id } = payer;
  const developer = service.enter("developer", { subaccountId });
  const receiver = (await developer.get(`/s/${subaccountId}/receivers/${receiver_id}`)).json;
  expect(receiver.questions).toMatchObject([
    { note: "Which invoice is this?", who: "an operator" },
  ]);
  const payout = (await developer.get(`/s/${subaccountId}/payouts/${id}`)).json;
  const titles = payout.timeline.map(({ title, detail }: { title: string; detail: string }) => [
    title,
    detail,
  ]);
  expect(titles).toContainEqual(["A reviewer asks", "Which invoice is this?"]);
  expect(JSON.stringify([receiver, payout])).not.toContain("list match");
  expect(await tools.actionsOn(id)).toEqual(["review.ask", "review.ask"]);
  await tools.decide(["hold", payer, id], "refuse");
  expect(codeOf(await operator.post(path, { note: "x", audience: "reviewers" }))).toBe("CONS508");
});

test("a case is not found under another subaccount or as another kind", async () => {
  const payer = await newReviewedPayer(service);
  const id = await payer.payHeldByRule(5_000);
  const other = await newReviewedPayer(service);
  const hit = await other.openHit();
  const auditor = service.enter("auditor");
  for (const path of [pathOf("hold", payer, id), pathOf("hit", other, hit)]) {
    expect((await auditor.get(path)).status).toBe(200);
  }
  expect(codeOf(await operator.get(pathOf("hit", payer, hit)))).toBe("CONS110");
  expect(codeOf(await operator.get(pathOf("hold", other, id)))).toBe("CONS110");
  expect(codeOf(await operator.get(pathOf("hold", payer, "no-id")))).toBe("CONS110");
});

test("the overview counts open hits for reviewers only", async () => {
  const payer = await newReviewedPayer(service);
  await payer.openHit({}, Date.now() - 3_600_000);
  const { subaccountId } = payer;
  const kindsFor = async (person: TestPerson) => {
    const { json } = await person.get(`/s/${subaccountId}/overview`);
    return json.attention.map(({ kind }: { kind: string }) => kind);
  };
  expect(await kindsFor(operator)).toContain("hits_open");
  expect(await kindsFor(service.enter("developer", { subaccountId }))).not.toContain("hits_open");
  expect(await kindsFor(service.enter("finance"))).not.toContain("hits_open");
});
