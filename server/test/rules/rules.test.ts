// Rules before money leaves: each fact and each act, counted under the lock, and changed by two users.

import { afterAll, beforeAll, expect, test } from "vitest";
import type { DisburseError } from "../../../client/src/index.ts";
import { newId } from "../../src/ids.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { limits } from "../../src/limits.ts";
import { releasePayout } from "../../src/payouts/hold.ts";
import { listHolds } from "../../src/payouts/hold-queries.ts";
import { listRuleMatches } from "../../src/payouts/rule-match-queries.ts";
import { railDirectory } from "../../src/rails/directory.ts";
import { sandboxRail } from "../../src/rails/sandbox.ts";
import { approveRuleSet, declineRuleSet, proposeRuleSet } from "../../src/rules/change.ts";
import { findActiveRuleSet } from "../../src/rules/queries.ts";
import { contradictions } from "../scenarios/payouts-books.ts";
import { type ConsoleService, startConsole, type TestPerson } from "../support/console.ts";
import { newPayee, type Payee } from "../support/payers.ts";
import { type RuleParts, ruleOf, switchRules } from "../support/rules.ts";

let service: ConsoleService;
let admin: TestPerson;
let operator: TestPerson;
let checker: TestPerson;
let third: TestPerson;
// The bank takes so long that no payout is sent while a test looks at it.
const delayMs = 3_600_000;
const rails = railDirectory([{ mode: "test", rail: sandboxRail({ delayMs }) }]);
const dayMs = 86_400_000;

beforeAll(async () => {
  service = await startConsole({ bankDelayMs: delayMs });
  admin = service.enter("admin");
  operator = service.enter("operator");
  checker = service.enter("approver");
  third = service.enter("approver");
  await Promise.all([admin, operator, checker, third].map(({ ready }) => ready));
});
afterAll(async () => {
  expect((await verifyLedger(service.db)).differences).toEqual([]);
  expect(await contradictions(service.db)).toEqual([]);
  await service.close();
});

/** A subaccount with money, two receivers, and rules that are about it alone. */
async function newPayer() {
  const caller = await service.newCaller();
  const { disburse, subaccountId } = caller;
  const payees = [
    await newPayee(disburse, "12345999"),
    await newPayee(disburse, "22345999"),
  ] as const;
  await disburse.testHelpers.fund({ amount: 10_000_000, currency: "AUD", reference: newId() });
  const request = (amount: number, payee: Payee = payees[0]) => ({
    ...payee,
    amount,
    currency: "AUD",
    reference: newId(),
  });
  const key = (id: string) => ({ subaccountId, id });
  return {
    ...caller,
    payees,
    request,
    rules: (...rules: RuleParts[]) =>
      switchRules(
        service.db,
        rules.map((rule, index) =>
          ruleOf({ id: `rule-${index}`, subaccount_ids: [subaccountId], currency: "AUD", ...rule }),
        ),
      ),
    pay: async (amount: number, payee?: Payee) =>
      (await disburse.payouts.create(request(amount, payee))).payout_id,
    /** The stage of a new payout. */
    stage: async (amount: number, payee?: Payee) => {
      const { payout_id } = await disburse.payouts.create(request(amount, payee));
      return (await disburse.payouts.get(payout_id)).stage;
    },
    stageOf: async (id: string) => (await disburse.payouts.get(id)).stage,
    matches: (id: string) => listRuleMatches(service.db, key(id)),
    holds: (id: string) => listHolds(service.db, key(id), 10),
    approve: (id: string, by: TestPerson) => by.post(`/s/${subaccountId}/payouts/${id}/approve`),
    release: (id: string, { who }: { who: string } = operator) =>
      service.db.transaction((tx) =>
        releasePayout(tx, key(id), { who, atMs: Date.now(), reason: "fine", rails }),
      ),
    /** Moves all that was counted and created into the past. */
    age: async (ms: number) => {
      const { pool } = service.db;
      await pool.query("update payout_count set at_ms = at_ms - $2 where subaccount_id = $1", [
        subaccountId,
        ms,
      ]);
    },
  };
}

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => undefined,
    (error: DisburseError & { problems?: { code: string }[] }) =>
      error.code ?? error.problems?.[0]?.code,
  );
}

const hour = { of: "receiver", window: "hour" } as const;

test("without a rule nothing is held, counted or matched", async () => {
  const payer = await newPayer();
  await payer.rules();
  const id = await payer.pay(500_000);
  expect(await payer.stageOf(id)).toBe("queued");
  expect(await payer.matches(id)).toEqual([]);
  const { rows } = await service.db.pool.query(
    "select count(*)::int as count from payout_count where subaccount_id = $1",
    [payer.subaccountId],
  );
  expect(rows).toEqual([{ count: 0 }]);
});

test("a sum above its limit holds the payout, with rule and figures on record", async () => {
  const payer = await newPayer();
  const version = await payer.rules({ when: { fact: "sum", ...hour, above: 1_000 } });
  expect([await payer.stage(400), await payer.stage(600)]).toEqual(["queued", "queued"]);
  const id = await payer.pay(1);
  expect(await payer.stageOf(id)).toBe("on_hold");
  expect(await payer.matches(id)).toEqual([
    {
      rule_id: "rule-0",
      version,
      name: "A rule",
      act: "hold",
      approvals: null,
      role: null,
      figures: { of: "receiver", window: "hour", sum: "1001", above: "1000" },
    },
  ]);
  expect((await payer.holds(id))[0]?.reasons).toEqual([
    { kind: "rule", rule_id: "rule-0", version },
  ]);
  // Another receiver has a sum of its own.
  expect(await payer.stage(1_000, payer.payees[1])).toBe("queued");
});

test("counts of accounts and of the subaccount", async () => {
  const payer = await newPayer();
  await payer.rules(
    { when: { fact: "count", of: "account", window: "day", above: 1 } },
    { when: { fact: "count", of: "subaccount", window: "day", above: 2 } },
  );
  const [one, other] = payer.payees;
  expect(await payer.stage(1, one)).toBe("queued");
  const second = await payer.pay(1, one);
  expect((await payer.matches(second)).map(({ rule_id }) => rule_id)).toEqual(["rule-0"]);
  const ofSubaccount = await payer.pay(1, other);
  expect((await payer.matches(ofSubaccount)).map(({ figures }) => figures)).toEqual([
    { of: "subaccount", window: "day", count: 3, above: 2 },
  ]);
});

test("windows roll: what is older than the window no longer counts", async () => {
  const payer = await newPayer();
  const windows = ["hour", "day", "month"] as const;
  await payer.rules(
    ...windows.map((window) => ({
      when: { fact: "sum", of: "receiver", window, above: 1_000 } as const,
    })),
  );
  const matched = async () => (await payer.matches(await payer.pay(100))).map((one) => one.rule_id);
  await payer.pay(1_000);
  expect(await matched()).toEqual(["rule-0", "rule-1", "rule-2"]);
  await payer.age(3_600_000);
  expect(await matched()).toEqual(["rule-1", "rule-2"]);
  await payer.age(dayMs);
  expect(await matched()).toEqual(["rule-2"]);
  await payer.age(30 * dayMs);
  expect(await matched()).toEqual([]);
});

test("a payout that failed or was cancelled still counts", async () => {
  const payer = await newPayer();
  await payer.rules({ when: { fact: "sum", ...hour, above: 1_000 } });
  await payer.disburse.payouts.cancel(await payer.pay(1_000));
  expect(await payer.stage(1)).toBe("on_hold");
});

test("rules that are switched on count the payouts of the last 31 days", async () => {
  const payer = await newPayer();
  await payer.rules();
  await payer.pay(300);
  await payer.pay(300);
  await payer.rules({ when: { fact: "sum", of: "account", window: "day", above: 1_000 } });
  const id = await payer.pay(401);
  expect((await payer.matches(id))[0]?.figures).toMatchObject({ sum: "1001" });
  // While no rule asks for it nothing is counted. Switched on again, the gap is filled.
  await payer.rules();
  await payer.pay(1_000);
  await payer.rules({ when: { fact: "sum", of: "account", window: "day", above: 1_000 } });
  expect((await payer.matches(await payer.pay(1)))[0]?.figures).toMatchObject({ sum: "2002" });
});

test("another limit of the same rule counts on", async () => {
  const payer = await newPayer();
  const sum = (above: number) =>
    payer.rules({ when: { fact: "sum", of: "account", window: "day", above } });
  await sum(1_000);
  await payer.pay(900);
  await sum(5_000);
  expect(await payer.stage(4_100)).toBe("queued");
  expect(await payer.stage(1)).toBe("on_hold");
  const { epochs, version } = (await findActiveRuleSet(service.db)) ?? { epochs: {}, version: 0 };
  expect(epochs.account).toBe(version - 1);
});

test("the first payout to an account: until one is let through", async () => {
  const payer = await newPayer();
  await payer.rules({ when: { fact: "first_payout" } });
  const first = await payer.pay(100);
  expect(await payer.stageOf(first)).toBe("on_hold");
  // The first one may be a bait: it is still on hold.
  expect(await payer.stage(5_000)).toBe("on_hold");
  await payer.release(first);
  expect(await payer.stage(5_000)).toBe("queued");
  expect(await payer.stage(5_000, payer.payees[1])).toBe("on_hold");
});

test("bank details that changed within the hours", async () => {
  const payer = await newPayer();
  await payer.rules({ when: { fact: "details_changed", within_hours: 24 } });
  const [{ account_id }] = payer.payees;
  expect(await payer.stage(100)).toBe("queued");
  await service.db.pool.query(
    `insert into bank_details select subaccount_id, account_id, 2, country, individual_or_business,
       account_number_sealed, account_number_tail, bsb, bank_code, bank_name, abn, acn, nzbn, $2::bigint, created_by,
       checking_or_savings, business_name, account_number_mark from bank_details where account_id = $1`,
    [account_id, Date.now()],
  );
  await service.db.pool.query("update receiver_account set version = 2 where id = $1", [
    account_id,
  ]);
  expect(await payer.stage(100)).toBe("on_hold");
  await service.db.pool.query(
    "update bank_details set created_at_ms = created_at_ms - $2 where account_id = $1 and version = 2",
    [account_id, dayMs],
  );
  expect(await payer.stage(100)).toBe("queued");
});

test("one account at two receivers", async () => {
  const payer = await newPayer();
  await payer.rules({ when: { fact: "shared_account" } });
  expect(await payer.stage(100)).toBe("queued");
  const twin = await newPayee(payer.disburse, "12345999");
  // The same last digits, and another number.
  const similar = await newPayee(payer.disburse, "92345999");
  const id = await payer.pay(100, twin);
  expect((await payer.matches(id))[0]?.figures).toEqual({ other_receivers: 1 });
  expect(await payer.stage(100)).toBe("on_hold");
  expect(await payer.stage(100, similar)).toBe("queued");
});

test("an amount above a multiple of the median of the receiver's last ten", async () => {
  const payer = await newPayer();
  await payer.rules({ when: { fact: "above_median", times: 5 } });
  // Without an earlier payout there is no median.
  expect(await payer.stage(100_000)).toBe("queued");
  for (const amount of [100, 200, 300, 400, 500, 600, 700, 800, 900, 1_000]) {
    expect(await payer.stage(amount)).toBe("queued");
  }
  // The median of the last ten is 550; held payouts don't change it.
  expect(await payer.stage(2_751)).toBe("on_hold");
  const id = await payer.pay(9_999);
  expect((await payer.matches(id))[0]?.figures).toEqual({
    amount: "9999",
    median: "550",
    times: 5,
    payouts: 10,
  });
  expect(await payer.stage(2_750)).toBe("queued");
});

test("payouts of one batch see those before them", async () => {
  const payer = await newPayer();
  await payer.rules(
    { when: { fact: "count", ...hour, above: 2 } },
    { when: { fact: "above_median", times: 2 } },
    { id: "first", when: { fact: "first_payout" }, act: { act: "second_person" } },
  );
  const rows = [100, 100, 100, 201].map((amount) => payer.request(amount));
  const { payouts } = await payer.disburse.payouts.createBatch(rows);
  const matched = await Promise.all(
    payouts.map(async ({ payout_id }) =>
      (await payer.matches(payout_id)).map(({ rule_id }) => rule_id),
    ),
  );
  // The first two wait for approval, so nothing is let through and there is no median.
  expect(matched).toEqual([["first"], ["first"], ["first", "rule-0"], ["first", "rule-0"]]);
});

test("the country of the account or of the receiver", async () => {
  const payer = await newPayer();
  await payer.rules({ when: { fact: "country", in: ["NZL", "AUS"] } });
  const id = await payer.pay(100);
  expect((await payer.matches(id))[0]?.figures).toEqual({ country: "AUS" });
  await payer.rules({ when: { fact: "country", in: ["NZL"] } });
  expect(await payer.stage(100)).toBe("queued");
});

test("an identity check that waits for a review", async () => {
  const payer = await newPayer();
  await payer.rules({ when: { fact: "identity_review" } });
  expect(await payer.stage(100)).toBe("queued");
  await service.db.pool.query("update receiver set kyc_needs_review = true where id = $1", [
    payer.payees[0].receiver_id,
  ]);
  expect(await payer.stage(100)).toBe("on_hold");
});

test("the outcome of the payee name check; without one it is unavailable", async () => {
  const payer = await newPayer();
  const [{ account_id }] = payer.payees;
  const check = (outcome: string | null) =>
    service.db.pool.query(
      `update payee_name_check set outcome = $2::text, due_at_ms = null,
         checked_at_ms = case when $2::text is null then null else 1 end where account_id = $1`,
      [account_id, outcome],
    );
  await payer.rules({ when: { fact: "payee_name", in: ["no_match", "unavailable"] } });
  await check("match");
  expect(await payer.stage(100)).toBe("queued");
  await check("no_match");
  const id = await payer.pay(100);
  expect((await payer.matches(id))[0]?.figures).toEqual({ outcome: "no_match" });
  await check(null);
  expect(await payer.stage(100)).toBe("on_hold");
});

async function openHit({ subaccountId }: { subaccountId: string }, receiverId: string) {
  const id = newId();
  await service.db.pool.query(
    `insert into screening_hit (subaccount_id, id, subject_kind, subject_id, receiver_id, list, entry_key, entry_hash,
       subject_hash, score, explanation, opened_at_ms)
     values ($1, $2, 'receiver', $3, $3, 'un', 'key', $4, '', 0.9, '{}', 1)`,
    [subaccountId, id, receiverId, id],
  );
  return {
    decide: (status: string) =>
      service.db.pool.query("update screening_hit set status = $2 where id = $1", [id, status]),
  };
}

test("CONS604: an open hit holds every payout, without any rule, until it is decided", async () => {
  const payer = await newPayer();
  await payer.rules();
  const [{ receiver_id }, other] = payer.payees;
  const hit = await openHit(payer, receiver_id);
  const id = await payer.pay(100);
  expect(await payer.stageOf(id)).toBe("on_hold");
  expect((await payer.holds(id))[0]?.reasons).toEqual([{ kind: "screening" }]);
  expect(await payer.stage(100, other)).toBe("queued");
  expect(await codeOf(payer.release(id))).toBe("CONS604");
  await hit.decide("same");
  expect(await codeOf(payer.release(id))).toBe("CONS604");
  await hit.decide("different");
  expect((await payer.release(id)).stage).toBe("queued");
  expect(await payer.stage(100)).toBe("queued");
});

test("a rule about a screening review can ask for more than the hold", async () => {
  const payer = await newPayer();
  await payer.rules({ when: { fact: "screening_review" }, act: { act: "second_person" } });
  const hit = await openHit(payer, payer.payees[0].receiver_id);
  const id = await payer.pay(100);
  expect(await payer.stageOf(id)).toBe("on_hold");
  await hit.decide("different");
  expect((await payer.release(id)).stage).toBe("awaiting_approval");
});

test("PAYO235: a rule refuses, and does not say which one", async () => {
  const payer = await newPayer();
  await payer.rules({ when: { fact: "sum", ...hour, above: 100 }, act: { act: "refuse" } });
  expect(await payer.stage(100)).toBe("queued");
  const error = await payer.disburse.payouts.create(payer.request(1)).catch((thrown) => thrown);
  expect(error).toMatchObject({
    code: "PAYO235",
    errors: [{ message: "Payout is not accepted", field: "account_id" }],
  });
  // A refused payout is not counted.
  expect(await codeOf(payer.pay(1))).toBe("PAYO235");
  expect(await payer.stage(100, payer.payees[1])).toBe("queued");
  const validated = await payer.disburse.payouts.validate(payer.request(1));
  expect(validated).toMatchObject({ accepted: false, problems: [{ code: "PAYO235" }] });
});

test("a second user approves a payout that a rule asks for; its creator can't", async () => {
  const payer = await newPayer();
  await payer.rules({ when: { fact: "first_payout" }, act: { act: "second_person" } });
  const id = await payer.pay(100);
  expect(await payer.stageOf(id)).toBe("awaiting_approval");
  expect((await payer.approve(id, operator)).json).toMatchObject({ stage: "queued" });
});

test("CONS410, CONS411: n users of a role approve, each once", async () => {
  const payer = await newPayer();
  await payer.rules({
    when: { fact: "first_payout" },
    act: { act: "approvals", count: 2, role: "approver" },
  });
  const id = await payer.pay(100);
  const codes = async (by: TestPerson) => (await payer.approve(id, by)).json;
  expect(await codes(admin)).toMatchObject({ error: [{ code: "CONS411" }] });
  expect(await codes(checker)).toMatchObject({ stage: "awaiting_approval" });
  expect(await codes(checker)).toMatchObject({ error: [{ code: "CONS410" }] });
  expect(await payer.stageOf(id)).toBe("awaiting_approval");
  expect(await codes(third)).toMatchObject({ stage: "queued" });
  const detail = await admin.get(`/s/${payer.subaccountId}/payouts/${id}`);
  const titles = detail.json.timeline.map(({ title }: { title: string }) => title);
  expect(titles).toContain("Rule: A rule");
  expect(titles).toContain("Approved; more approvals are needed");
});

test("the same user at the same time counts once", async () => {
  const payer = await newPayer();
  await payer.rules({
    when: { fact: "first_payout" },
    act: { act: "approvals", count: 2, role: "" },
  });
  const id = await payer.pay(100);
  const answers = await Promise.all([1, 2, 3].map(() => payer.approve(id, checker)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  expect(await payer.stageOf(id)).toBe("awaiting_approval");
});

test("a held payout that needs approval waits for it after the release", async () => {
  const payer = await newPayer();
  await payer.rules(
    { when: { fact: "first_payout" } },
    { when: { fact: "count", ...hour, above: 0 }, act: { act: "approvals", count: 2, role: "" } },
  );
  const id = await payer.pay(100);
  expect((await payer.release(id, checker)).stage).toBe("awaiting_approval");
  expect((await payer.approve(id, checker)).json).toMatchObject({ stage: "awaiting_approval" });
  expect((await payer.approve(id, third)).json).toMatchObject({ stage: "queued" });
});

test("a dry run says that a payout would be held or needs approval, and writes nothing", async () => {
  const payer = await newPayer();
  await payer.rules(
    { when: { fact: "sum", ...hour, above: 100 } },
    { when: { fact: "sum", ...hour, above: 200 }, act: { act: "second_person" } },
  );
  const validate = (amount: number) => payer.disburse.payouts.validate(payer.request(amount));
  expect(await validate(100)).toMatchObject({ needs_review: false, needs_approval: false });
  expect(await validate(101)).toMatchObject({ needs_review: true, needs_approval: false });
  const both = await validate(201);
  expect(both).toMatchObject({ needs_review: true, needs_approval: true, approval_rules: [] });
  expect(JSON.stringify(both)).not.toContain("rule-");
  const { rows } = await service.db.pool.query(
    "select count(*)::int as count from payout_count where subaccount_id = $1",
    [payer.subaccountId],
  );
  expect(rows).toEqual([{ count: 0 }]);
});

test("rules of another subaccount, mode or currency don't apply", async () => {
  const payer = await newPayer();
  const when = { fact: "count", ...hour, above: 0 } as const;
  await payer.rules(
    { when, subaccount_ids: [newId()] },
    { when, mode: "live" },
    { when, currency: "NZD" },
  );
  expect(await payer.stage(100)).toBe("queued");
  await payer.rules({ when, mode: "test", subaccount_ids: [], currency: "" });
  expect(await payer.stage(100)).toBe("on_hold");
  await payer.rules();
});

test("payoutOnHold follows payoutCreated for a payout that is created on hold", async () => {
  const payer = await newPayer();
  await payer.rules({ when: { fact: "first_payout" } });
  await payer.disburse.subaccount.update({ event_types: ["payoutOnHold"] });
  const id = await payer.pay(100);
  const { rows } = await service.db.pool.query(
    "select type from event where subaccount_id = $1 and order_key = $2 order by number",
    [payer.subaccountId, id],
  );
  expect(rows.map(({ type }) => type)).toEqual(["payoutCreated", "payoutOnHold"]);
});

test("64 connections race for one counter: never one over", async () => {
  const payer = await newPayer();
  await payer.rules({ when: { fact: "count", ...hour, above: 20 }, act: { act: "refuse" } });
  const codes = await Promise.all(Array.from({ length: 64 }, () => codeOf(payer.pay(1))));
  expect(codes.filter((code) => code === undefined)).toHaveLength(20);
  expect(codes.filter((code) => code === "PAYO235")).toHaveLength(44);
});

const oneRule = [ruleOf({ when: { fact: "shared_account" } })];
const by = (who: string) => ({ who, atMs: Date.now() });
const propose = (who: string, rules: unknown = oneRule) =>
  service.db.transaction((tx) => proposeRuleSet(tx, { rules }, by(who)));
const approve = (version: number, who: string) =>
  service.db.transaction((tx) => approveRuleSet(tx, version, by(who)));

test("RULE302, RULE303: rules take two users, and the version that they are based on", async () => {
  const { version } = await propose("operator:one");
  const other = await propose("operator:one");
  expect(await codeOf(approve(version, "operator:one"))).toBe("CONS402");
  expect((await approve(version, "operator:two")).after.status).toBe("active");
  expect(await codeOf(approve(version, "operator:two"))).toBe("RULE302");
  expect(await codeOf(approve(other.version, "operator:two"))).toBe("RULE303");
  const declined = await service.db.transaction((tx) =>
    declineRuleSet(tx, other.version, { ...by("operator:one"), why: "outdated" }),
  );
  expect(declined).toMatchObject({ status: "declined", decided_why: "outdated" });
  expect((await findActiveRuleSet(service.db))?.version).toBe(version);
  await switchRules(service.db, []);
});

test("of two approvals at once, one succeeds", async () => {
  const [one, other] = [await propose("operator:one"), await propose("operator:one")];
  const outcomes = await Promise.allSettled(
    [one, other, one].map(({ version }) => approve(version, "operator:two")),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await switchRules(service.db, []);
});

test("RULE201, RULE301: rules that are not valid, and a version that does not exist", async () => {
  const sum = { fact: "sum", ...hour, above: 1 } as const;
  const wrong: [unknown, string][] = [
    ["none", "rules"],
    [[{ ...oneRule[0], when: { fact: "moon" } }], "rules[0].when"],
    [[{ ...oneRule[0], id: "Not An Id" }], "rules[0].id"],
    [[{ ...oneRule[0], surplus: 1 }], "rules[0]"],
    [[...oneRule, ...oneRule], "rules[1].id"],
    [[ruleOf({ when: sum })], "rules[0].currency"],
    [[ruleOf({ when: sum, currency: "XQX" })], "rules[0].currency"],
    [Array.from({ length: limits.rulesMax + 1 }, () => oneRule[0]), "rules"],
  ];
  for (const [rules, field] of wrong) {
    const error = await propose("operator:one", rules).catch((thrown) => thrown);
    expect(error.problems?.[0]).toMatchObject({ code: "RULE201" });
    expect(error.problems[0].field).toContain(field);
  }
  expect(await codeOf(approve(999_999, "operator:two"))).toBe("RULE301");
});
