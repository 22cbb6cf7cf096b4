// Random histories of payouts under random rules, made by the functions that live calls use, and the rules that applied
// to each payout then.

import { fund } from "../../src/money/ledger/fund.ts";
import { approvePayout } from "../../src/money/payouts/approve.ts";
import { cancelPayout } from "../../src/money/payouts/cancel.ts";
import { createPayouts, isCreated, toPayoutCreation } from "../../src/money/payouts/create.ts";
import { releasePayout } from "../../src/money/payouts/hold.ts";
import type { PayoutRequest } from "../../src/money/payouts/payout.ts";
import { type RailDirectory, railDirectory } from "../../src/money/rails/directory.ts";
import { sandboxRail } from "../../src/money/rails/sandbox.ts";
import { approveRuleSet, proposeRuleSet } from "../../src/money/rules/change.ts";
import type { Rule } from "../../src/money/rules/rule.ts";
import { changeAccount } from "../../src/people/accounts/change.ts";
import { createAccount } from "../../src/people/accounts/create.ts";
import { simulateKyc } from "../../src/people/kyc/decide.ts";
import { sandboxProvider } from "../../src/people/kyc-providers/sandbox.ts";
import { createReceivers, toReceiverCreation } from "../../src/people/receivers/create.ts";
import { noScreening } from "../../src/people/screening/screener.ts";
import type { Caller } from "../../src/platform/base/caller.ts";
import { newId } from "../../src/platform/base/ids.ts";
import type { Db } from "../../src/platform/db/connect.ts";
import type { Seal } from "../../src/platform/encryption/seal.ts";
import { Refusal } from "../../src/platform/refusals/refusals.ts";
import { createSubaccount } from "../../src/tenants/subaccounts/create.ts";
import { insertHit } from "../support/hits.ts";
import { ada } from "../support/service.ts";
import type { Draw } from "./seeded-draw.ts";

type Parts = { db: Db; seal: Seal };
type Payee = { receiverId: string; accountIds: string[] };

const currencies = ["AUD", "NZD"];
const hourMs = 3_600_000;
const provider = sandboxProvider({ delayMs: 86_400_000 });
const who = "key:history";
const maker = "operator:maker@example.com";
const checker = "operator:checker@example.com";

/** The rules of a part of the history, and the payouts that were decided on by them. */
export type RecordedPart = { rules: Rule[]; version: number; payoutIds: Set<string> };
export type RecordedHistory = {
  subaccountId: string;
  parts: RecordedPart[];
  counts: Record<string, number>;
};

export async function recordHistory(
  { db, seal }: Parts,
  draw: Draw,
  { steps, isRuled = true }: { steps: number; isRuled?: boolean },
): Promise<RecordedHistory> {
  const { subaccountId } = await createSubaccount({ db, seal }, { name: "History", mode: "test" });
  // A rail for this history only, so that no worker serves it.
  const rails = railDirectory([
    { mode: "test", rail: { ...sandboxRail({ delayMs: 0 }), id: subaccountId } },
  ]);
  const payees = await newPayees({ db, seal }, subaccountId);
  for (const currency of currencies) {
    const amount = 1_000_000_000n;
    const funding = { subaccountId, currency, amount, reference: "first", who, atMs: Date.now() };
    await db.transaction((tx) => fund(tx, funding));
  }
  const history: RecordedHistory = { subaccountId, parts: [], counts: {} };
  const world = { db, seal, rails, draw, subaccountId, payees, history };
  // Half of the histories have one set of rules from the beginning. The others have payouts before the first rule, and
  // other rules now and then; they refuse nothing, because payouts that a later set would refuse were counted then.
  const hasOneSet = draw.below(2) === 0;
  if (isRuled && hasOneSet) await switchRules(world, ruleActs);
  for (let step = 0; step < steps; step += 1) {
    if (
      isRuled &&
      !hasOneSet &&
      step >= steps / 4 &&
      (history.parts.length === 0 || draw.below(12) === 0)
    )
      await switchRules(world, ruleActs.slice(1));
    const name = draw.weighted(weights);
    history.counts[name] = (history.counts[name] ?? 0) + 1;
    await acts[name](world);
  }
  return history;
}

type World = {
  db: Db;
  seal: Seal;
  rails: RailDirectory;
  draw: Draw;
  subaccountId: string;
  payees: Payee[];
  history: RecordedHistory;
};

const weights = { pay: 10, pass: 6, decide: 5, change: 1, hit: 1, check: 1, cancel: 1 };

const acts: Record<keyof typeof weights, (world: World) => Promise<void>> = {
  pay,
  pass: ({ db, draw, subaccountId }) => letTimePass(db, subaccountId, gapOf(draw)),
  decide,
  change,
  hit,
  check,
  cancel,
};

/** Seconds, hours or days, never a round number. */
function gapOf(draw: Draw): number {
  const scaleMs = draw.pick([1_000, 60_000, hourMs, 8 * hourMs, 100 * hourMs]);
  return 1 + Math.floor(draw.number() * scaleMs);
}

/** One or several calls at the same time, each with one or several payouts. */
async function pay(world: World): Promise<void> {
  const { db, rails, draw, history } = world;
  const calls = Array.from({ length: 1 + draw.below(4) }, () =>
    Array.from({ length: draw.pick([1, 1, 1, 2, 5]) }, () => requestOf(world)),
  );
  const part = history.parts.at(-1);
  const created = await Promise.all(
    calls.map(async (requests) => {
      const creations = requests.map((request) => toPayoutCreation(callerOf(world), request));
      const outcomes = await createPayouts({ db, rails }, creations);
      return creations.filter((_, index) => isCreated(outcomes[index] as never));
    }),
  );
  for (const { id } of created.flat()) part?.payoutIds.add(id);
  // What happens next happens later, also where all of this took less than a millisecond.
  await letTimePass(db, world.subaccountId, 5);
}

function requestOf({ draw, payees }: World): PayoutRequest {
  const { receiverId, accountIds } = draw.pick(payees);
  return {
    receiverId,
    accountId: draw.pick(accountIds),
    amount: BigInt(1 + draw.below(draw.pick([100, 10_000, 1_000_000]))),
    currency: draw.pick(currencies),
    reference: newId(),
    note: "",
    allowDuplicate: true,
    sendOn: "",
    statementReference: "",
    purpose: "",
  };
}

function callerOf({ subaccountId }: Pick<World, "subaccountId">): Caller {
  return { subaccountId, mode: "test", key: "history", requestId: newId(), nonce: undefined };
}

/** Approves or releases a payout that waits. */
async function decide(world: World): Promise<void> {
  const { db, rails, subaccountId } = world;
  for (const { id, stage } of await payoutsIn(world, ["on_hold", "awaiting_approval"])) {
    const key = { subaccountId, id };
    const by = { who: checker, atMs: Date.now() };
    const work =
      stage === "on_hold"
        ? db.transaction((tx) => releasePayout(tx, key, { ...by, reason: "checked", rails }))
        : db.transaction((tx) => approvePayout(tx, key, { ...by, role: "admin", rails }));
    await work.catch(ignoreRefusal);
  }
  await letTimePass(db, subaccountId, 5);
}

async function cancel(world: World): Promise<void> {
  const { db, subaccountId, draw } = world;
  const waiting = await payoutsIn(world, ["queued", "on_hold", "awaiting_approval"]);
  if (waiting.length === 0) return;
  const { id } = draw.pick(waiting);
  await db
    .transaction((tx) => cancelPayout(tx, { subaccountId, id }, { who, atMs: Date.now() }))
    .catch(ignoreRefusal);
  await letTimePass(db, subaccountId, 5);
}

/** A decision that is refused changes nothing. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}

async function payoutsIn({ db, draw, subaccountId }: World, stages: readonly string[]) {
  const { rows } = await db.pool.query<{ id: string; stage: string }>(
    "select id, stage from payout where subaccount_id = $1 and stage = any($2) order by id desc limit 40",
    [subaccountId, stages],
  );
  return rows.filter(() => draw.below(3) === 0);
}

/** Other bank details: at times those of another receiver. */
async function change({ db, seal, draw, subaccountId, payees }: World): Promise<void> {
  const id = draw.pick(draw.pick(payees).accountIds);
  const account_number = draw.pick(numbers);
  await db
    .transaction((tx) =>
      changeAccount({ tx, seal, screener: noScreening }, { subaccountId, id, who }, {
        account_number,
      } as never),
    )
    .catch(ignoreRefusal);
  await letTimePass(db, subaccountId, 5);
}

/** Opens a hit of a receiver, or decides on one. */
async function hit({ db, draw, subaccountId, payees }: World): Promise<void> {
  const { receiverId } = draw.pick(payees);
  const { rowCount } = await db.pool.query(
    `update screening_hit set status = 'different', decided_by = 'x', decided_at_ms = $3
     where subaccount_id = $1 and receiver_id = $2 and status = 'open'`,
    [subaccountId, receiverId, Date.now()],
  );
  if (rowCount === 0) await insertHit(db, { subaccountId, receiverId });
  await letTimePass(db, subaccountId, 5);
}

/** The first outcome of the payee name check of an account, whose later checks would replace it. */
async function check({ db, draw, subaccountId }: World): Promise<void> {
  await db.pool.query(
    `update payee_name_check set outcome = $2, checked_at_ms = $3, due_at_ms = null
     where subaccount_id = $1 and outcome is null and id = (
       select id from payee_name_check where subaccount_id = $1 and outcome is null order by id limit 1)`,
    [subaccountId, draw.pick(["match", "close_match", "no_match"]), Date.now()],
  );
  await letTimePass(db, subaccountId, 5);
}

/** Two users switch on other rules. They are about this history only. */
async function switchRules(
  { db, draw, subaccountId, history }: World,
  allowed: readonly Rule["then"][],
): Promise<void> {
  const rules = Array.from({ length: 2 + draw.below(8) }, (_, place) => ({
    id: `rule-${place}`,
    name: `Rule ${place}`,
    mode: "" as const,
    subaccount_ids: [subaccountId],
    ...conditionOf(draw),
    // biome-ignore lint/suspicious/noThenProperty: a rule reads "when … then …", and is never awaited.
    then: draw.pick(allowed),
  }));
  const atMs = Date.now();
  const { version } = await db.transaction((tx) =>
    proposeRuleSet(tx, { rules }, { who: maker, atMs }),
  );
  await db.transaction((tx) => approveRuleSet(tx, version, { who: checker, atMs }));
  history.parts.push({ rules, version, payoutIds: new Set() });
}

const ruleActs: readonly Rule["then"][] = [
  { act: "refuse" },
  { act: "hold" },
  { act: "hold" },
  { act: "hold" },
  { act: "second_person" },
  { act: "second_person" },
  { act: "approvals", count: 1, role: "admin" },
];

function conditionOf(draw: Draw): Pick<Rule, "when" | "currency"> {
  const counted = {
    of: draw.pick(["receiver", "account", "subaccount"] as const),
    window: draw.pick(["hour", "day", "month"] as const),
  };
  const currency = draw.pick(["", ...currencies]);
  const when = draw.pick<Rule["when"]>([
    { fact: "sum", ...counted, above: draw.below(draw.pick([1_000, 100_000, 10_000_000])) },
    { fact: "sum", ...counted, above: draw.below(draw.pick([1_000, 100_000, 10_000_000])) },
    { fact: "count", ...counted, above: draw.below(12) },
    { fact: "count", ...counted, above: draw.below(12) },
    { fact: "first_payout" },
    { fact: "details_changed", within_hours: 1 + draw.below(72) },
    { fact: "shared_account" },
    { fact: "above_median", times: 1 + draw.below(6) },
    { fact: "country", in: [draw.pick(["AUS", "NZL"])] },
    { fact: "screening_review" },
    {
      fact: "payee_name",
      in: draw.pick([["match"], ["no_match", "unavailable"]] as const).slice(),
    },
  ]);
  return when.fact === "sum"
    ? { when, currency: currency === "" ? "AUD" : currency }
    : { when, currency };
}

/** Two of them are equal at times, so that receivers share an account. */
const numbers = ["12345999", "12345998", "12345997", "22345996"];

async function newPayees({ db, seal }: Parts, subaccountId: string): Promise<Payee[]> {
  const creations = [0, 1, 2].map((place) =>
    toReceiverCreation(callerOf({ subaccountId }), ada({ email: `r${place}@example.com` }), {
      provider,
      screener: noScreening,
      seal,
    }),
  );
  await createReceivers(db, creations);
  return db.transaction(async (tx) => {
    const payees: Payee[] = [];
    for (const [place, { row }] of creations.entries()) {
      const said = { who, reason: "by the history", atMs: Date.now() };
      await simulateKyc(tx, { subaccountId, id: row.id }, { ...said, outcome: "approved" });
      const accountIds: string[] = [];
      for (const account_number of [numbers[place], numbers[3]] as string[]) {
        const bank = { account_type: "I", bsb: "062000", account_number };
        const given = { receiver_id: row.id, ...bank };
        const { account_id } = await createAccount(
          { tx, seal, screener: noScreening },
          { subaccountId, who },
          given,
        );
        accountIds.push(account_id);
      }
      payees.push({ receiverId: row.id, accountIds });
    }
    return payees;
  });
}

const times = {
  payout: ["created_at_ms"],
  ledger_transfer: ["created_at_ms"],
  payout_history: ["at_ms"],
  payout_count: ["at_ms"],
  bank_details: ["created_at_ms"],
  screening_hit: ["opened_at_ms", "decided_at_ms"],
  payee_name_check: ["checked_at_ms"],
};

const moving = Object.entries(times).map(([table, columns]) => {
  const moved = columns.map((column) => `${column} = ${column} - $2`).join(", ");
  return `moved_${table} as (update ${table} set ${moved} where subaccount_id = $1)`;
});

/** The only figure that is a time. */
const movedFigures = `moved_figures as (
  update payout_rule_match set figures = jsonb_set(figures, '{changed_at_ms}',
    to_jsonb((figures->>'changed_at_ms')::bigint - $2::bigint))
  where subaccount_id = $1 and figures ? 'changed_at_ms')`;

/** Everything moves into the past, which is the same as if time had passed. */
async function letTimePass(db: Db, subaccountId: string, ms: number): Promise<void> {
  await db.pool.query(`with ${[...moving, movedFigures].join(", ")} select`, [subaccountId, ms]);
}
