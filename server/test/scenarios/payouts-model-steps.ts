// Steps with a subaccount's payouts, as plain data that fast-check generates and shrinks.

import fc from "fast-check";
import type { End, PayoutInput, Verdict } from "./payouts-model.ts";

/** A transaction with `dies` is aborted before that statement, or else just before its commit. */
type Dying = { dies?: number | undefined };
/** One of a few idempotency keys, so that they repeat. */
type Keyed = { key?: number | undefined };

export type PlainPoll = { do: "look"; afterMs: number; verdicts: Verdict[] };

export type PlainStep =
  | ({ do: "fund"; reference: string; amount: number } & Dying)
  | ({ do: "create"; calls: (Keyed & { input: PayoutInput })[] } & Dying)
  | ({ do: "batch"; inputs: PayoutInput[] } & Keyed & Dying)
  | ({ do: "cancel"; payout: number } & Keyed & Dying)
  | ({ do: "approve"; payout: number; byMaker: boolean } & Dying)
  | ({ do: "simulate"; payout: number; end: End } & Dying)
  | { do: "check"; receiver: number; passed: boolean }
  /** Repeats a call with an earlier key. */
  | { do: "retry"; call: number }
  | PlainPoll;

/** A poll of the worker can be interrupted before one of its statements: by its death, or by any other step. */
export type Cut = { before: number; by: PlainStep | { do: "death" } };
export type Step = PlainStep | (PlainPoll & { cut: Cut });

const rarely = <Value>(value: fc.Arbitrary<Value>, { oneIn }: { oneIn: number }) =>
  fc.oneof(
    { arbitrary: fc.constant(undefined), weight: oneIn - 1 },
    { arbitrary: value, weight: 1 },
  );
const dies = rarely(fc.nat({ max: 6 }), { oneIn: 8 });
const key = rarely(fc.nat({ max: 9 }), { oneIn: 3 });
// Counted from the newest; -1 is unknown.
const payout = fc.integer({ min: -1, max: 12 });
const often = <Value>(usual: Value, ...rare: Value[]) =>
  fc.oneof(
    { arbitrary: fc.constant(usual), weight: 12 },
    { arbitrary: fc.constantFrom(...rare), weight: 1 },
  );

const input: fc.Arbitrary<PayoutInput> = fc
  .record({
    receiver: fc.oneof(
      { arbitrary: fc.constantFrom(0, 1), weight: 12 },
      { arbitrary: fc.constant(2), weight: 1 },
    ),
    aside: often(0, 1, 2),
    amount: often(100, 500).chain((most) => fc.integer({ min: 1, max: 4 }).map((n) => n * most)),
    currency: often("AUD", "NZD"),
    reference: fc.constantFrom("", "a", "b", "c", "d", "e"),
    allowDuplicate: fc.boolean(),
  })
  .map(({ aside, ...rest }) => ({ ...rest, account: (rest.receiver + aside) % 3 }));

const verdict = fc.constantFrom<Verdict>("settled", "rejected", "returned", "unknown", "settled");
const plainPoll = fc.record({
  do: fc.constant("look" as const),
  // Within the lease of another worker, or after it. The values never give two polls the same time.
  afterMs: fc.constantFrom(7_000, 61_000),
  verdicts: fc.array(verdict, { minLength: 1, maxLength: 5 }),
});

const doing = <Name extends string, Rest>(
  name: Name,
  rest: { [K in keyof Rest]: fc.Arbitrary<Rest[K]> },
) => fc.record({ do: fc.constant(name), ...rest }) as unknown as fc.Arbitrary<{ do: Name } & Rest>;

const cancelStep = doing("cancel", { payout, key, dies });
const approveStep = doing("approve", { payout, byMaker: often(false, true), dies });
const simulateStep = doing("simulate", {
  payout,
  end: fc.constantFrom<End>("success", "fail", "return"),
  dies,
});
const checkStep = doing("check", {
  receiver: fc.nat({ max: 1 }),
  passed: fc.constantFrom(true, true, true, false),
});

const plainStep: fc.Arbitrary<PlainStep> = fc.oneof(
  {
    arbitrary: doing("fund", {
      reference: fc.nat({ max: 15 }).map((n) => `bank-${n}`),
      amount: often(1_500, 700),
      dies,
    }),
    weight: 3,
  },
  {
    arbitrary: doing("create", {
      calls: fc.array(fc.record({ input, key }), { minLength: 1, maxLength: 3 }),
      dies,
    }),
    weight: 7,
  },
  {
    arbitrary: doing("batch", {
      inputs: fc.array(input, { minLength: 1, maxLength: 4 }),
      key,
      dies,
    }),
    weight: 3,
  },
  { arbitrary: cancelStep, weight: 3 },
  { arbitrary: approveStep, weight: 3 },
  { arbitrary: simulateStep, weight: 3 },
  { arbitrary: checkStep, weight: 2 },
  { arbitrary: doing("retry", { call: fc.nat({ max: 60 }) }), weight: 2 },
  { arbitrary: plainPoll, weight: 4 },
);

const cutLook = fc
  .record({
    look: plainPoll,
    before: fc.nat({ max: 5 }),
    by: fc.oneof(
      fc.constant({ do: "death" as const }),
      plainPoll,
      fc.oneof(cancelStep, approveStep, simulateStep, checkStep),
      plainStep,
    ),
  })
  .map(({ look, ...cut }) => ({ ...look, cut }));

const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: plainStep, weight: 26 },
  { arbitrary: cutLook, weight: 4 },
);

/** Sequences with `average` steps on average. */
export function stepsOf(average: number): fc.Arbitrary<Step[]> {
  return fc.noBias(fc.array(step, { minLength: 1, maxLength: 2 * average - 1, size: "max" }));
}
