// Runs steps one after the other, in the real service on a real database and in the model, and compares the two after
// each step.

import assert from "node:assert/strict";
import { fundOnce } from "../../src/money/ledger/fund.ts";
import { verifyLedger } from "../../src/money/ledger/verify.ts";
import { approvePayout } from "../../src/money/payouts/approve.ts";
import { cancelPayout } from "../../src/money/payouts/cancel.ts";
import {
  createPayouts,
  type PayoutOutcome,
  toPayoutCreation,
} from "../../src/money/payouts/create.ts";
import { createBatch } from "../../src/money/payouts/create-batch.ts";
import type { PayoutRefusal, PayoutRequest } from "../../src/money/payouts/payout.ts";
import { toProblem } from "../../src/money/payouts/problems.ts";
import { simulatePayout } from "../../src/money/payouts/simulate.ts";
import { startPayoutWorker } from "../../src/money/payouts/worker.ts";
import { railDirectory } from "../../src/money/rails/directory.ts";
import type { DirectRail } from "../../src/money/rails/rail.ts";
import { sandboxRail } from "../../src/money/rails/sandbox.ts";
import { decideKyc, simulateKyc as simulateCheck } from "../../src/people/kyc/decide.ts";
import type { Caller } from "../../src/platform/base/caller.ts";
import { newId } from "../../src/platform/base/ids.ts";
import type { Db, Tx } from "../../src/platform/db/connect.ts";
import { once, type StoredResponse } from "../../src/platform/idempotency/once.ts";
import { Refusal } from "../../src/platform/refusals/refusals.ts";
import type { Verdict } from "./payouts-model.ts";
import * as model from "./payouts-model.ts";
import { bankOf, Death, dyingIn, interruptedAt } from "./payouts-model-accidents.ts";
import { compare, newReceivers, type Parts } from "./payouts-model-compare.ts";
import type { Cut, PlainPoll, PlainStep, Step } from "./payouts-model-steps.ts";

/** The attempts and their outcomes, over many runs. */
type RunCounts = {
  steps: number;
  commands: Counts;
  outcomes: Counts;
  /** The sequences of stages that payouts went through. */
  ways: Counts;
};
type Counts = Record<string, number>;

export function newRunCounts(): RunCounts {
  return { steps: 0, commands: {}, outcomes: {}, ways: {} };
}

function count(counts: Counts, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

const verifyEvery = 20;

/** Throws at the first difference. */
export async function runSteps(
  parts: Parts,
  steps: readonly Step[],
  counts: RunCounts,
): Promise<void> {
  const run = await startRun(parts, counts);
  for (const [index, step] of steps.entries()) {
    await run.take(step);
    if ((index + 1) % verifyEvery === 0) await verify(parts.db, run.subaccountId);
  }
  await verify(parts.db, run.subaccountId);
  for (const { path, amount } of run.state.payouts) {
    const first = amount > model.approvalAbove ? "awaiting_approval" : "queued";
    count(counts.ways, [first, ...path].join(" "));
  }
}

/** Rows of other runs must not fail this one, because fast-check could not shrink such a failure. */
async function verify(db: Db, ours: string): Promise<void> {
  const { differences } = await verifyLedger(db);
  assert.deepEqual(
    differences.filter(({ subaccountId }) => subaccountId === ours),
    [],
  );
}

const who = "key:model";
const unknownId = newId();

async function startRun({ db, seal }: Parts, counts: RunCounts) {
  const subaccountId = newId();
  const balance = { subaccountId, currency: "AUD" };
  const payees = await newReceivers({ db, seal }, subaccountId);
  // A rail for this run only, so that its worker serves no other run.
  const sandbox: DirectRail = { ...sandboxRail({ delayMs: 0 }), id: subaccountId };
  const rails = railDirectory([{ mode: "test", rail: sandbox }]);
  const state = model.newModel();
  const retries: (() => Promise<void>)[] = [];
  // Ahead of the wall clock, so that new payouts are due at the next poll.
  let nowMs = Date.now() + 3_600_000;

  const callerOf = (key: number | undefined, request: unknown): Caller => ({
    ...{ subaccountId, mode: "test", key: "model", requestId: newId(), nonce: undefined },
    idempotency:
      key === undefined ? undefined : { key: `key-${key}`, requestHash: JSON.stringify(request) },
  });
  const toRequest = ({ receiver, account, amount, ...rest }: model.PayoutInput): PayoutRequest => ({
    ...rest,
    sendOn: "",
    statementReference: "",
    purpose: "",
    receiverId: payees[receiver]?.receiverId ?? unknownId,
    accountId: payees[account]?.accountId ?? unknownId,
    amount: BigInt(amount),
    note: "",
  });
  const payoutAt = (index: number) =>
    index < 0 ? undefined : state.payouts.at(-1 - (index % Math.max(state.payouts.length, 1)));
  const keyOf = (payout: model.ModelPayout | undefined) => ({
    subaccountId,
    id: payout?.id ?? unknownId,
  });

  const perform = async (step: PlainStep): Promise<void> => {
    if (step.do === "look") return poll(step);
    if (step.do === "check") return check(step.receiver, step.passed);
    if (step.do === "retry") return retries[step.call % Math.max(retries.length, 1)]?.();
    const work = workOf(step);
    if (work.keyed) retries.push(work.both);
    if (step.dies === undefined) return work.both();
    // The transaction must have no effect, so the model does not change.
    const said = await answerOf(() => work.real(dyingIn(db, step.dies as number)));
    count(counts.outcomes, said.refused === "died" ? "died" : "refused before it died");
  };

  function workOf(step: Exclude<PlainStep, { do: "look" | "check" | "retry" }>): Work {
    switch (step.do) {
      case "fund":
        return funding(step.reference, step.amount);
      case "create":
        return creating(step.calls);
      case "batch":
        return batching(step.inputs, step.key);
      case "cancel":
        return cancelling(payoutAt(step.payout), step.key);
      case "approve":
        return approving(payoutAt(step.payout), step.byMaker);
      case "simulate":
        return pretending(payoutAt(step.payout), step.end);
    }
  }

  function funding(reference: string, amount: number): Work {
    const input = { ...balance, reference, amount: BigInt(amount), who, atMs: Date.now() };
    const real = (to: Db) => fundOnce(to, input);
    return {
      keyed: false,
      real,
      async both() {
        const { outcome } = await real(db);
        count(counts.outcomes, outcome);
        assert.equal(outcome, model.fund(state, reference, amount));
      },
    };
  }

  function creating(
    calls: readonly { input: model.PayoutInput; key?: number | undefined }[],
  ): Work {
    const creations = () =>
      calls.map(({ input, key }) =>
        toPayoutCreation(callerOf(key, ["create", input]), toRequest(input)),
      );
    return {
      keyed: calls.some(({ key }) => key !== undefined),
      real: (to) => createPayouts({ db: to, rails }, creations()),
      async both() {
        const asked = creations();
        const outcomes = await createPayouts({ db, rails }, asked);
        // Calls under one key are decided one after the other, each with the other calls of its batch.
        for (let left = [...asked.keys()]; left.length > 0; ) {
          const seen = new Set<number | undefined>();
          const later = left.filter((index) => {
            const key = calls[index]?.key;
            return key !== undefined && (seen.has(key) || !seen.add(key));
          });
          for (const index of left.filter((one) => !later.includes(one))) {
            const { input } = calls[index] as { input: model.PayoutInput };
            const { caller } = asked[index] as { caller: Caller };
            expectCreated(outcomes[index] as PayoutOutcome, caller, input);
          }
          left = later;
        }
      },
    };
  }

  function expectCreated(outcome: PayoutOutcome, caller: Caller, input: model.PayoutInput): void {
    const known = keptOf(caller);
    const expected = known ? "as before" : model.create(state, input);
    if (known) {
      expectKept(known, caller, outcome);
    } else if (typeof expected === "string") {
      count(counts.outcomes, expected);
      assert.equal((outcome as { refused?: string }).refused, expected);
    } else {
      count(counts.outcomes, "created");
      const { body, replayed } = outcome as StoredResponse;
      assert.equal(replayed, false);
      expected.id = JSON.parse(body).payload.payout_id;
      keep(caller, body);
    }
  }

  const keptOf = ({ idempotency }: Caller) => idempotency && state.kept.get(idempotency.key);
  const keep = ({ idempotency }: Caller, body: string) => {
    if (idempotency) state.kept.set(idempotency.key, { hash: idempotency.requestHash, body });
  };

  /** Expects the same bytes again, or a refusal if the key belongs to another request. */
  function expectKept({ hash, body }: model.Kept, { idempotency }: Caller, outcome: unknown): void {
    const isSame = hash === idempotency?.requestHash;
    count(counts.outcomes, isSame ? "same answer again" : "key-reused");
    assert.deepEqual(outcome, isSame ? { body, replayed: true } : "key-reused");
  }

  /** A separate call under a key. `expect` returns the model's refusal, or undefined. */
  function calling(
    [key, request]: [number | undefined, readonly [string, unknown]],
    act: (tx: Tx, caller: Caller) => Promise<object>,
    expect: (answer: Answer<StoredResponse>) => string | undefined,
  ): Work {
    const real = (to: Db) => {
      const caller = callerOf(key, request);
      return once(to, caller, (tx) => act(tx, caller));
    };
    return {
      keyed: key !== undefined,
      real,
      async both() {
        const caller = callerOf(key, request);
        const answer = await answerOf(() => real(db));
        const known = keptOf(caller);
        if (known) {
          const reused = answer.refused === "IDEM102" ? "key-reused" : answer.value;
          return expectKept(known, caller, reused);
        }
        const refused = expect(answer);
        assert.equal(answer.refused, refused);
        count(counts.outcomes, `${request[0]} ${refused?.slice(0, "PAYO000".length) ?? "done"}`);
        if (answer.value) keep(caller, answer.value.body);
      },
    };
  }

  function batching(inputs: readonly model.PayoutInput[], key: number | undefined): Work {
    return calling(
      [key, ["batch", inputs]],
      (tx, caller) =>
        createBatch(tx, rails, caller, {
          sound: inputs.map((input, row) => ({ row, request: toRequest(input) })),
          problems: [],
        }),
      ({ value }) => {
        const expected = model.createBatch(state, inputs);
        if (expected instanceof Map) {
          return [...expected]
            .map(([row, refused]) => {
              const outcome = { refused: refused as PayoutRefusal, currency: "AUD" };
              const { code, field } = toProblem(outcome);
              return `${code} payouts[${row}].${field}`;
            })
            .join(", ");
        }
        const made: { payout_id: string }[] = value ? JSON.parse(value.body).payouts : [];
        for (const [row, payout] of expected.entries()) payout.id = made[row]?.payout_id ?? "";
        return undefined;
      },
    );
  }

  function cancelling(payout: model.ModelPayout | undefined, key: number | undefined): Work {
    return calling(
      [key, ["cancel", payout?.id]],
      (tx) => cancelPayout(tx, keyOf(payout), { who, atMs: Date.now() }),
      () => model.cancel(payout),
    );
  }

  function approving(payout: model.ModelPayout | undefined, byMaker: boolean): Work {
    const by = { who: byMaker ? who : "operator:other", role: "operator" as const };
    const input = { ...by, atMs: Date.now(), rails };
    const real = (to: Db) => to.transaction((tx) => approvePayout(tx, keyOf(payout), input));
    return {
      keyed: false,
      real,
      async both() {
        const { refused } = await answerOf(() => real(db));
        const expected = model.approve(payout, byMaker);
        count(counts.outcomes, expected ?? "approved");
        assert.equal(refused, expected);
      },
    };
  }

  function pretending(payout: model.ModelPayout | undefined, end: model.End): Work {
    const input = { end, causeCode: "", who, atMs: Date.now() };
    const real = (to: Db) => to.transaction((tx) => simulatePayout(tx, keyOf(payout), input));
    return {
      keyed: false,
      real,
      async both() {
        const { value, refused } = await answerOf(() => real(db));
        const expected = model.simulate(payout, end);
        count(counts.outcomes, `${end}: ${expected}`);
        assert.equal(value ?? refused, expected);
      },
    };
  }

  async function check(receiver: number, passed: boolean): Promise<void> {
    if (state.payable[receiver] === passed) return;
    state.payable[receiver] = passed;
    const key = { subaccountId, id: payees[receiver]?.receiverId as string };
    const said = { who, reason: "by the model", atMs: Date.now() };
    await db.transaction((tx) =>
      passed
        ? simulateCheck(tx, key, { ...said, outcome: "approved" })
        : decideKyc(tx, key, { ...said, verdict: "reject", final: false }),
    );
  }

  async function poll({ afterMs, verdicts, cut }: PlainPoll & { cut?: Cut }): Promise<void> {
    nowMs += afterMs;
    const atMs = nowMs;
    // Chosen by the index of the payout. The bank may report any outcome.
    const verdictOf = ({ id }: { id: string }) =>
      verdicts[state.payouts.findIndex((payout) => payout.id === id) % verdicts.length] as Verdict;
    const modelled = model.poll(state, atMs, verdictOf);
    let isDead = false;
    const interrupt = async () => {
      if (!cut) return;
      for (let statements = 0; statements <= cut.before; statements++) modelled.next();
      count(counts.outcomes, `look cut by ${cut.by.do}`);
      isDead = cut.by.do === "death";
      if (cut.by.do === "death") throw new Death();
      await compare(db, subaccountId, state);
      await perform(cut.by);
      await compare(db, subaccountId, state);
    };
    const failed: unknown[] = [];
    const log = { warn: ({ err }: { err?: unknown }) => void failed.push(err) };
    // The worker polls once, at its start; close waits for that poll.
    await startPayoutWorker({
      db: cut ? interruptedAt(db, cut.before, interrupt) : db,
      seal,
      rails: railDirectory([{ mode: "test", rail: bankOf(sandbox, verdictOf) }]),
      log,
      clock: () => atMs,
      random: () => 0.5,
    }).close();
    for (const error of failed) if (!(error instanceof Death)) throw error;
    if (!isDead) while (!modelled.next().done);
  }

  return {
    subaccountId,
    state,
    async take(step: Step): Promise<void> {
      counts.steps += 1;
      count(counts.commands, step.do);
      await perform(step);
      await compare(db, subaccountId, state);
    },
  };
}

/** A step: in the service only, if its transaction is aborted, or in the service and the model. */
type Work = { keyed: boolean; real: (db: Db) => Promise<unknown>; both: () => Promise<void> };

type Answer<Value> = { value?: Value; refused?: string };

async function answerOf<Value>(call: () => Promise<Value>): Promise<Answer<Value>> {
  try {
    return { value: await call() };
  } catch (error) {
    if (error instanceof Death) return { refused: "died" };
    if (!(error instanceof Refusal)) throw error;
    const words = error.problems.map(({ code, field }) => (field ? `${code} ${field}` : code));
    return { refused: words.join(", ") };
  }
}
