// Random histories of payouts under random rules, with calls at the same time, compared with the plain model. Used by a
// test and by a campaign, without a test runner.

import assert from "node:assert/strict";
import { fundOnce } from "../../src/money/ledger/fund.ts";
import { approvePayout } from "../../src/money/payouts/approve.ts";
import { cancelPayout } from "../../src/money/payouts/cancel.ts";
import { payoutCreator } from "../../src/money/payouts/create.ts";
import { refusePayout, releasePayout } from "../../src/money/payouts/hold.ts";
import { railDirectory } from "../../src/money/rails/directory.ts";
import { sandboxRail } from "../../src/money/rails/sandbox.ts";
import { type Rule, ruleSubjects, ruleWindows } from "../../src/money/rules/rule.ts";
import type { Caller } from "../../src/platform/base/caller.ts";
import { newId } from "../../src/platform/base/ids.ts";
import { statement } from "../../src/platform/db/connect.ts";
import { Refusal } from "../../src/platform/refusals/refusals.ts";
import { switchRules } from "../support/rules.ts";
import { payoutMax } from "./payouts-model.ts";
import { newReceivers, type Parts } from "./payouts-model-compare.ts";
import {
  approve,
  expectedOf,
  isApproved,
  type RuledPayout,
  type RuledStage,
  release,
} from "./rules-model.ts";
import { type Draw, drawOf } from "./seeded-draw.ts";

export type RuleRunCounts = Record<"acts" | "outcomes" | "rules", Record<string, number>>;

export function newRuleRunCounts(): RuleRunCounts {
  return { acts: {}, outcomes: {}, rules: {} };
}

const count = (of: Record<string, number>, name: string) => {
  of[name] = (of[name] ?? 0) + 1;
};

const users = [
  { who: "operator:one", role: "admin" },
  { who: "operator:two", role: "operator" },
  { who: "operator:three", role: "approver" },
  { who: "operator:four", role: "approver" },
] as const;

const minuteMs = 60_000;
/** None is a multiple of a window, so that milliseconds never decide. */
const pauses = [7, 25, 61, 185, 1_441, 7_203, 21_601, 43_207].map((minutes) => minutes * minuteMs);
const rails = railDirectory([{ mode: "test", rail: sandboxRail({ delayMs: 3_600_000 }) }]);

type AcceptedRow = {
  id: string;
  receiver_id: string;
  amount: string;
  created_at_ms: string;
  stage: RuledStage;
  matches: [string, Record<string, string | number>][];
};

const accepted = statement<AcceptedRow>(
  "rules-run-accepted",
  `select p.id, p.receiver_id, p.amount, p.created_at_ms, p.stage,
          coalesce((select json_agg(json_build_array(m.rule_id, m.figures) order by m.rule_id collate "C")
                    from payout_rule_match m where m.subaccount_id = p.subaccount_id and m.payout_id = p.id), '[]')
            as matches
   from payout p join ledger_transfer t on t.subaccount_id = p.subaccount_id and t.payout_id = p.id and t.kind = 'hold'
   where p.subaccount_id = $1 and p.id = any($2::uuid[]) order by t.number`,
);

/** Throws at the first difference. */
export async function runRuleHistory(
  parts: Parts,
  { seed, calls = 64 }: { seed: number; calls?: number },
  counts: RuleRunCounts,
): Promise<void> {
  const { db } = parts;
  const draw = drawOf(seed);
  const subaccountId = newId();
  const payees = await newReceivers(parts, subaccountId);
  const money = { subaccountId, currency: "AUD", amount: 10_000_000n, reference: newId() };
  await fundOnce(db, { ...money, who: "service", atMs: Date.now() });
  // Two of them, as two processes have.
  const creators = [payoutCreator({ db, rails }), payoutCreator({ db, rails })];
  const payouts: RuledPayout[] = [];
  let rules: Rule[] = [];
  const key = ({ id }: RuledPayout) => ({ subaccountId, id });

  const acts = {
    pay: () => payTogether(draw.below(4) === 0 ? 1 + draw.below(8) : 1),
    race: () => payTogether(draw.below(10) === 0 ? calls : 8),
    async switch() {
      rules = Array.from({ length: draw.below(6) }, (_, index) =>
        randomRule(draw, `rule-${index}`, subaccountId),
      );
      for (const { when, then } of rules) count(counts.rules, `${when.fact} ${then.act}`);
      await switchRules(db, rules);
    },
    async pass() {
      const ms = draw.pick(pauses);
      await db.pool.query("update payout_count set at_ms = at_ms - $2 where subaccount_id = $1", [
        ...[subaccountId, ms],
      ]);
      await db.pool.query(
        "update payout set created_at_ms = created_at_ms - $2 where subaccount_id = $1",
        [subaccountId, ms],
      );
      for (const payout of payouts) payout.createdMs -= ms;
    },
    async cancel() {
      const payout = pickPayout();
      if (!payout || payout.stage === "cancelled") return;
      const by = { who: "key:model", atMs: Date.now() };
      await db.transaction((tx) => cancelPayout(tx, key(payout), by));
      payout.stage = "cancelled";
    },
    async approve() {
      const payout = pickPayout("awaiting_approval");
      if (!payout) return;
      const user = draw.pick(users);
      const said = await codeOf(() =>
        db.transaction((tx) =>
          approvePayout(tx, key(payout), { ...user, atMs: Date.now(), rails }),
        ),
      );
      assert.equal(said, approve(payout, user), "approve");
      count(counts.outcomes, said ?? "approved");
    },
    async release() {
      const payout = pickPayout("on_hold");
      if (!payout) return;
      const by = { who: draw.pick(users).who, atMs: Date.now(), reason: "model" };
      const said = await codeOf(() =>
        db.transaction((tx) => releasePayout(tx, key(payout), { ...by, rails })),
      );
      assert.equal(said, release(payout), "release");
      count(counts.outcomes, said ?? `released to ${payout.stage}`);
    },
    async refuse() {
      const payout = pickPayout("on_hold");
      if (payout?.stage !== "on_hold") return;
      const by = { who: draw.pick(users).who, atMs: Date.now(), reason: "model" };
      await db.transaction((tx) => refusePayout(tx, key(payout), by));
      payout.stage = "cancelled";
    },
  };

  /** Mostly one in that stage, if there is one. */
  function pickPayout(stage?: RuledStage): RuledPayout | undefined {
    const fitting = payouts.filter((one) => one.stage === stage);
    return draw.pick(fitting.length > 0 && draw.below(8) > 0 ? fitting : payouts);
  }

  async function payTogether(length: number): Promise<void> {
    const requests = Array.from({ length }, () => ({
      receiver: draw.below(payees.length),
      amount: BigInt(1 + draw.below(payoutMax)),
      creator: creators[draw.below(creators.length)] as (typeof creators)[number],
    }));
    const answers = await Promise.all(
      requests.map(async ({ receiver, amount, creator }) => {
        try {
          const { body } = await creator(caller(), request(receiver, amount));
          return (JSON.parse(body) as { payload: { payout_id: string } }).payload.payout_id;
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          return { code: error.problems[0].code };
        }
      }),
    );
    const ids = answers.filter((answer) => typeof answer === "string");
    const rows = await db.run(accepted, [subaccountId, ids]);
    assert.equal(rows.length, ids.length, "every accepted payout is there");
    const before = payouts.length;
    for (const row of rows) replay(row);
    for (const [index, answer] of answers.entries()) {
      if (typeof answer === "string") continue;
      assert.equal(answer.code, "PAYO235");
      count(counts.outcomes, answer.code);
      const { receiver, amount } = requests[index] as (typeof requests)[number];
      const candidate = { receiver, amount, createdMs: Date.now() };
      // It was decided on after some of those that were accepted at the same time.
      const ends = Array.from({ length: payouts.length - before + 1 }, (_, n) => before + n);
      const isRight = ends.some(
        (end) => expectedOf(rules, payouts.slice(0, end), candidate).isRefused,
      );
      assert.ok(isRight, "a payout is refused only where a rule refuses it");
    }
  }

  function replay(row: AcceptedRow): void {
    const candidate = {
      receiver: payees.findIndex(({ receiverId }) => receiverId === row.receiver_id),
      amount: BigInt(row.amount),
      createdMs: Number(row.created_at_ms),
    };
    const { isRefused, stage, needs, figures } = expectedOf(rules, payouts, candidate);
    assert.equal(isRefused, false, `${row.id} should have been refused`);
    assert.deepEqual(row.matches, figures, row.id);
    assert.equal(row.stage, stage, row.id);
    payouts.push({ id: row.id, ...candidate, stage, needs, approvals: [] });
    count(counts.outcomes, stage);
  }

  const caller = (): Caller => ({
    ...{ subaccountId, mode: "test", key: "model", requestId: newId(), nonce: undefined },
  });
  const request = (receiver: number, amount: bigint) => ({
    receiverId: payees[receiver]?.receiverId ?? "",
    accountId: payees[receiver]?.accountId ?? "",
    amount,
    currency: "AUD",
    reference: newId(),
    note: "",
    allowDuplicate: true,
    ...{ sendOn: "", statementReference: "", purpose: "" },
  });

  await acts.switch();
  for (let step = 12 + draw.below(12); step > 0; step -= 1) {
    const name = draw.weighted({
      ...{ pay: 8, race: 2, switch: 1.5, pass: 3 },
      ...{ cancel: 1, approve: 4, release: 2, refuse: 0.5 },
    });
    count(counts.acts, name);
    await acts[name]();
  }
  await compareStages();

  async function compareStages(): Promise<void> {
    const rows = await db.run(accepted, [subaccountId, payouts.map(({ id }) => id)]);
    for (const { id, stage } of rows) {
      const payout = payouts.find((one) => one.id === id) as RuledPayout;
      assert.equal(stage, payout.stage, id);
      const isThrough = stage === "queued";
      assert.ok(!isThrough || isApproved(payout), `${id} was let through without its approvals`);
    }
  }
}

function randomRule(draw: Draw, id: string, subaccountId: string): Rule {
  const counted = { of: draw.pick(ruleSubjects), window: draw.pick(ruleWindows) };
  const when = draw.pick<Rule["when"]>([
    { fact: "sum", ...counted, above: 100 + draw.below(2_000) },
    { fact: "sum", ...counted, above: 100 + draw.below(2_000) },
    { fact: "count", ...counted, above: draw.below(10) },
    { fact: "count", ...counted, above: draw.below(10) },
    { fact: "first_payout" },
    { fact: "above_median", times: 1 + draw.below(3) },
    { fact: "shared_account" },
    { fact: "country", in: [draw.pick(["AUS", "NZL"])] },
  ]);
  const then = draw.pick<Rule["then"]>([
    { act: "hold" },
    { act: "hold" },
    { act: "second_person" },
    { act: "approvals", count: 1 + draw.below(3), role: draw.pick(["", "approver", "operator"]) },
    // A refusal without a limit would refuse everything.
    when.fact === "sum" || when.fact === "count" ? { act: "refuse" } : { act: "hold" },
  ]);
  // A rule about all balances and one about this balance count the same payouts.
  const scope = draw.pick([{ mode: "" }, { mode: "test" }] as const);
  const name = "A rule";
  return { id, name, ...scope, subaccount_ids: [subaccountId], currency: "AUD", when, then };
}

async function codeOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.problems[0].code;
  }
}
