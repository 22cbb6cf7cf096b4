// Hits in the review queue: evidence side by side, decisions by one or two users, and the order of all kinds.

import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyLedger } from "../../../src/money/ledger/verify.ts";
import type { ConsoleService, TestPerson } from "../../support/console.ts";
import {
  codeOf,
  idsIn,
  newReviewedPayer,
  pathOf,
  type ReviewedLine,
  type reviewTools,
  stageOf,
  startReviewQueue,
} from "../../support/review-cases.ts";
import { ada, outcomeOf } from "../../support/service.ts";

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

test("the queue has identity checks, hits and payouts on hold, oldest first, with a filter by kind", async () => {
  const payer = await newReviewedPayer(service);
  const live = await service.newCaller({ mode: "live" });
  const hold = await payer.payHeldByRule(5_000);
  const other = await newReviewedPayer(service);
  const hit = await other.openHit();
  const check = (await live.disburse.receivers.create(ada({ last_name: "Check" }))).receiver_id;
  const all = idsIn((await operator.get("/reviews?limit=100")).json.rows);
  const mine = [hold, hit, check];
  expect(all.filter((id) => mine.includes(id))).toEqual(mine);
  for (const [kind, id] of [
    ["hold", hold],
    ["hit", hit],
    ["identity", check],
  ]) {
    const rows: ReviewedLine[] = (await operator.get(`/reviews?limit=100&kind=${kind}`)).json.rows;
    expect(idsIn(rows)).toContain(id);
    expect(new Set(rows.map((row) => row.kind))).toEqual(new Set([kind]));
  }
  // Page by page it is the same order.
  const paged: string[] = [];
  let cursor = "";
  do {
    const { rows, next } = (await operator.get(`/reviews?limit=1${cursor}`)).json;
    paged.push(...idsIn(rows));
    cursor = next ? `&cursor=${next}` : "";
  } while (cursor);
  expect(paged).toEqual(all);
  const { count, kinds } = (await operator.get("/reviews/count")).json;
  expect(count).toBe(all.length);
  expect(kinds.map(({ kind }: ReviewedLine) => kind)).toEqual(["identity", "hit", "hold"]);
  expect(kinds[1].oldest).toEqual(expect.any(Number));
});

test("a payout behind an open hit is decided with the hit, and is a case of its own after it", async () => {
  const payer = await newReviewedPayer(service);
  const payout = await payer.pay(5_000);
  const hit = await payer.openHit();
  expect(idsIn(await tools.queueOf(payer))).toEqual([hit]);
  expect((await tools.decide(["hit", payer, hit], "different", { release: false })).json).toEqual({
    is_decided: true,
    status: "different",
    released: [],
  });
  expect(idsIn(await tools.queueOf(payer))).toEqual([payout]);
  expect(await stageOf(payer, payout)).toBe("on_hold");
});

test("a hit shows the receiver and the list entry side by side, other hits and payouts on hold", async () => {
  const payer = await newReviewedPayer(service);
  const payout = await payer.pay(5_000);
  const ruled = await payer.payHeldByRule(150_000);
  const hit = await payer.openHit();
  const shown = await tools.caseOf("hit", payer, hit);
  expect(shown).toMatchObject({
    kind: "hit",
    receiver: { first_name: "Ada", last_name: "Lovelace" },
    hit: { list: "ofac-sdn", score: 0.852, status: "open", first: null, decided: null },
    compared: { words: [{ how: "same" }, { how: "same" }, { how: "missing" }, { how: "order" }] },
    entry: { program: "ENGINE2", birth_dates: ["1989/1991", "1991"], countries: ["FRA", "GBR"] },
    other_hits: [],
    decisions: { different: true, why_not_different: null, same: true, needs_second: true },
  });
  const heldBy = Object.fromEntries(
    shown.held.map((one: { payout_id: string; why_not: string }) => [one.payout_id, one.why_not]),
  );
  expect(heldBy).toEqual({ [payout]: null, [ruled]: "A rule holds it too" });
});

test("one person on two lists is one case, and one decision records each hit and releases the payout", async () => {
  const payer = await newReviewedPayer(service);
  const payout = await payer.pay(5_000);
  const first = await payer.openHit({}, Date.now() - 60_000);
  const same = await payer.openHit({ list: "un", key: "QDi.901" });
  const country = await payer.openHit({ list: "embargo", key: "XXX" });
  const rows = await tools.queueOf(payer);
  expect(rows).toMatchObject([
    { case_id: first, hit: { entries: 2, score: 0.852 } },
    { case_id: country, hit: { entries: 1, list: "embargo" } },
  ]);
  const counted = async () => (await operator.get("/reviews/count")).json.kinds[1].count;
  const before = await counted();
  const shown = await tools.caseOf("hit", payer, same);
  expect(shown.others).toMatchObject([{ id: first, hit: { list: "ofac-sdn" } }]);
  expect(shown.other_hits).toMatchObject([{ id: country }]);
  expect(shown.held).toMatchObject([{ why_not: "Another hit holds it" }]);
  await tools.decide(["hit", payer, country], "different", { release: false });

  const { id, version } = shown.others[0];
  const path = `${pathOf("hit", payer, same)}/different`;
  const body = { version: shown.version, reason: "another passport", release: true };
  const stale = await operator.post(path, { ...body, others: [{ id, version: "old" }] });
  expect(outcomeOf(stale)).toBe("409 CONS602");
  const elsewhere = await newReviewedPayer(service);
  const foreign = await elsewhere.openHit();
  const { version: theirs } = await tools.caseOf("hit", elsewhere, foreign);
  const mixed = await operator.post(path, { ...body, others: [{ id: foreign, version: theirs }] });
  expect(outcomeOf(mixed)).toBe("404 CONS110");
  expect(await tools.actionsOn(same)).toEqual([]);

  const { json } = await operator.post(path, { ...body, others: [{ id, version }] });
  expect(json).toEqual({ is_decided: true, status: "different", released: [payout] });
  for (const hit of [first, same]) expect(await tools.actionsOn(hit)).toEqual(["review.different"]);
  expect(await tools.queueOf(payer)).toEqual([]);
  // Two cases of this receiver have gone, and the other receiver's has come.
  expect(await counted()).toBe(before - 1);
});

test("two users say of two hits that they are the same person: each is confirmed, and the receiver stops once", async () => {
  const payer = await newReviewedPayer(service);
  const [one, other] = [await payer.openHit(), await payer.openHit({ list: "un", key: "QDi.902" })];
  const say = async (person: TestPerson) => {
    const { version, others } = await tools.caseOf("hit", payer, one, person);
    return person.post(`${pathOf("hit", payer, one)}/same`, {
      version,
      reason: "the same passport",
      others: others.map(({ id, version }: { id: string; version: string }) => ({ id, version })),
    });
  };
  expect((await say(operator)).json).toMatchObject({ is_decided: false, status: "open" });
  expect((await say(second)).json).toMatchObject({ is_decided: true, status: "same" });
  for (const hit of [one, other]) {
    expect(await tools.actionsOn(hit)).toEqual(["review.same-first", "review.same"]);
  }
  const { status } = await payer.disburse.receivers.get(payer.receiver_id);
  expect(status).toBe("inactive");
});

test("compliance clears a hit, and its payout stays on hold: releasing it takes another role", async () => {
  const compliance = service.enter("compliance");
  const payer = await newReviewedPayer(service);
  const payout = await payer.pay(5_000);
  const hit = await payer.openHit();
  const { held } = await tools.caseOf("hit", payer, hit, compliance);
  expect(held).toMatchObject([{ why_not: "Your role may not approve this" }]);
  const decide = (release: boolean) =>
    tools.decide(["hit", payer, hit], "different", { person: compliance, release });
  expect(outcomeOf(await decide(true))).toBe("403 CONS102");
  expect((await decide(false)).json).toMatchObject({ is_decided: true, released: [] });
  expect(await stageOf(payer, payout)).toBe("on_hold");
  const shown = await tools.caseOf("hold", payer, payout, compliance);
  expect(shown.why_not_release).toBe("Your role may not approve this");
  expect(
    outcomeOf(await tools.decide(["hold", payer, payout], "release", { person: compliance })),
  ).toBe("403 CONS102");
  expect((await tools.decide(["hold", payer, payout], "release")).status).toBe(200);
});

test("not the same person: with release, payouts that only the hit holds are queued", async () => {
  const payer = await newReviewedPayer(service);
  const [payout, own] = [await payer.pay(5_000), await payer.pay(6_000)];
  const ruled = await payer.payHeldByRule(150_000);
  // The reviewer's own payout needs another user.
  await service.db.pool.query("update payout set created_by = $2 where id = $1", [
    own,
    operator.who,
  ]);
  const hit = await payer.openHit();
  const { json } = await tools.decide(["hit", payer, hit], "different", { release: true });
  expect(json).toEqual({ is_decided: true, status: "different", released: [payout] });
  expect(await stageOf(payer, payout)).toBe("queued");
  expect(idsIn(await tools.queueOf(payer)).toSorted()).toEqual([own, ruled].toSorted());
  expect(await tools.actionsOn(hit)).toEqual(["review.different"]);
  expect(await tools.actionsOn(payout)).toEqual(["payout.release"]);
  const { rows: decided } = (
    await operator.get(`/reviews?tab=decided&kind=hit&subaccount_id=${payer.subaccountId}`)
  ).json;
  expect(decided).toMatchObject([
    { case_id: hit, decision: { outcome: "different", who: operator.who } },
  ]);
});

test("a hit is not cleared of others: payouts stay on hold while another hit is open", async () => {
  const payer = await newReviewedPayer(service);
  const payout = await payer.pay(5_000);
  const [one, other] = [await payer.openHit(), await payer.openHit()];
  expect(
    (await tools.decide(["hit", payer, one], "different", { release: true })).json.released,
  ).toEqual([]);
  expect(await stageOf(payer, payout)).toBe("on_hold");
  const last = await tools.decide(["hit", payer, other], "different", { release: true });
  expect(last.json.released).toEqual([payout]);
});

test("CONS402: a user can't clear a receiver that they created or changed", async () => {
  const payer = await newReviewedPayer(service);
  const { subaccountId, receiver_id } = payer;
  const changed = await operator.patch(`/s/${subaccountId}/receivers/${receiver_id}`, {
    address: "2 St. Kilda Road",
  });
  expect(changed.status).toBe(200);
  const hit = await payer.openHit();
  expect((await tools.caseOf("hit", payer, hit)).decisions).toMatchObject({
    different: false,
    why_not_different: "Awaiting another approver",
    same: true,
  });
  const release = { release: false };
  expect(codeOf(await tools.decide(["hit", payer, hit], "different", release))).toBe("CONS402");
  const other = await tools.decide(["hit", payer, hit], "different", {
    ...release,
    person: second,
  });
  expect(other.json.status).toBe("different");
});

test("CONS402: the same person takes two users, and callers read nothing but a review", async () => {
  const payer = await newReviewedPayer(service);
  const payout = await payer.pay(5_000);
  const hit = await payer.openHit();
  const first = await tools.decide(["hit", payer, hit], "same");
  expect(first.json).toEqual({ is_decided: false, status: "open", released: [] });
  expect((await tools.caseOf("hit", payer, hit)).decisions.same).toBe(false);
  expect(codeOf(await tools.decide(["hit", payer, hit], "same"))).toBe("CONS402");
  expect(await stageOf(payer, payout)).toBe("on_hold");
  expect(await tools.caseOf("hit", payer, hit, second)).toMatchObject({
    hit: { first: { who: operator.who, is_mine: false, reason: "compared the passports" } },
    decisions: { same: true, needs_second: false },
  });

  const last = await tools.decide(["hit", payer, hit], "same", { person: second });
  expect(last.json).toMatchObject({ is_decided: true, status: "same" });
  expect(await payer.disburse.payouts.get(payout)).toMatchObject({
    stage: "cancelled",
    cause: "refused after a review",
  });
  const receiver = await payer.disburse.receivers.get(payer.receiver_id);
  expect(receiver.status).toBe("inactive");
  const told = [
    await payer.disburse.payouts.history(payout),
    await payer.disburse.receivers.history(payer.receiver_id),
    receiver,
  ];
  expect(JSON.stringify(told)).not.toMatch(/screen|sanction|ofac|passport|same person/i);
  expect(await tools.actionsOn(hit)).toEqual(["review.same-first", "review.same"]);

  // A third user may correct them.
  const third = service.enter("operator");
  expect((await tools.caseOf("hit", payer, hit)).decisions.different).toBe(false);
  const corrected = await tools.decide(["hit", payer, hit], "different", {
    person: third,
    release: false,
  });
  expect(corrected.json.status).toBe("different");
});

test("CONS602 and CONS611: a decision about a hit that another user has decided on is refused", async () => {
  const payer = await newReviewedPayer(service);
  const hit = await payer.openHit();
  const { version } = await tools.caseOf("hit", payer, hit, second);
  await tools.decide(["hit", payer, hit], "same");
  const path = pathOf("hit", payer, hit);
  // The first of two users would have become the second, unseen.
  expect(codeOf(await second.post(`${path}/same`, { version, reason: "x" }))).toBe("CONS602");
  await tools.decide(["hit", payer, hit], "different", { person: second, release: false });
  const late = { version, reason: "x", release: false };
  expect(codeOf(await operator.post(`${path}/different`, late))).toBe("CONS611");

  // A receiver that changes keeps its hit, and has to be looked at again.
  const other = await newReviewedPayer(service);
  const open = await other.openHit();
  const seen = (await tools.caseOf("hit", other, open)).version;
  await other.disburse.receivers.update(other.receiver_id, { dob: "1991-01-01" });
  const stale = { version: seen, reason: "x", release: false };
  const answer = await operator.post(`${pathOf("hit", other, open)}/different`, stale);
  expect(codeOf(answer)).toBe("CONS602");
});

test("of two users who decide a hit or a hold at once, one wins", async () => {
  const payer = await newReviewedPayer(service);
  const hit = await payer.openHit();
  const { version } = await tools.caseOf("hit", payer, hit);
  const body = { version, reason: "x", release: false };
  const path = pathOf("hit", payer, hit);
  const hits = await Promise.all(
    [operator, second].map((one) => one.post(`${path}/different`, body)),
  );
  expect(hits.map(({ status }) => status).sort()).toEqual([200, 409]);

  const id = await payer.payHeldByRule(5_000);
  const seen = (await tools.caseOf("hold", payer, id)).version;
  const holds = await Promise.all([
    operator.post(`${pathOf("hold", payer, id)}/release`, { version: seen, reason: "x" }),
    second.post(`${pathOf("hold", payer, id)}/refuse`, { version: seen, reason: "x" }),
  ]);
  expect(holds.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(holds.flatMap((answer) => (answer.status === 409 ? [codeOf(answer)] : []))).toEqual([
    "CONS508",
  ]);
});
