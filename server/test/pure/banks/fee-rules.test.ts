// The fee of a payout: rounded half up once, in whole numbers, within its bounds.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  feeColumnsOf,
  feeInWords,
  feeProblems,
  feeRuleOf,
} from "../../../src/banking/connections/connection-fee.ts";
import {
  chargeFor,
  type FeeRule,
  feeOf,
  percentPattern,
  rateOf,
} from "../../../src/money/rails/fee.ts";

type Given = { fixed?: number; percent?: string; min?: number; max?: number; bearer?: string };

function ruleOf({ fixed, percent, min, max, bearer }: Given): FeeRule {
  const given = {
    ...(fixed !== undefined && { fee_fixed: fixed }),
    ...(percent !== undefined && { fee_percent: percent }),
    ...(min !== undefined && { fee_min: min }),
    ...(max !== undefined && { fee_max: max }),
    ...(bearer !== undefined && { fee_bearer: bearer }),
  };
  return feeRuleOf(feeColumnsOf(given)) as FeeRule;
}

test.each<[Given, amount: number, fee: number]>([
  [{ fixed: 50 }, 1, 50],
  [{ fixed: 50 }, 9_007_199_254_740_991, 50],
  [{ percent: "1" }, 12_500, 125],
  [{ percent: "0.25" }, 12_500, 31], // 31.25
  [{ percent: "0.25" }, 200, 1], // 0.5: half is rounded up
  [{ percent: "0.25" }, 199, 0], // 0.4975
  [{ percent: "0.25" }, 600, 2], // 1.5: up, and not to the even number
  [{ percent: "0.25" }, 1_000, 3], // 2.5: the same
  [{ percent: "0.0001" }, 499_999, 0], // 0.499999
  [{ percent: "0.0001" }, 500_000, 1], // 0.5
  [{ percent: "99.9999" }, 1_000_000, 999_999],
  [{ percent: "33.3333" }, 9_007_199_254_740_991, 3_002_396_749_180_579],
  [{ fixed: 30, percent: "2.9" }, 1_000, 59],
  // One rounding of the sum: neither part is rounded by itself.
  [{ fixed: 1, percent: "0.5" }, 99, 1], // 1.495
  [{ fixed: 1, percent: "0.5" }, 100, 2], // 1.5
  [{ percent: "1", min: 100 }, 5_000, 100],
  [{ percent: "1", min: 100 }, 10_000, 100],
  [{ percent: "1", min: 100 }, 10_050, 101],
  [{ percent: "1", max: 100 }, 10_000, 100],
  [{ percent: "1", max: 100 }, 1_000_000, 100],
  [{ percent: "1", min: 100, max: 100 }, 77, 100],
  [{ fixed: 5, percent: "1", min: 10, max: 20 }, 400, 10],
  [{ fixed: 5, percent: "1", min: 10, max: 20 }, 1_000, 15],
  [{ fixed: 5, percent: "1", min: 10, max: 20 }, 9_999, 20],
])("%o of %d is %d", (given, amount, fee) => {
  expect(feeOf(ruleOf(given), BigInt(amount))).toBe(BigInt(fee));
  const ofReceiver = chargeFor(ruleOf({ ...given, bearer: "receiver" }), BigInt(amount));
  expect(ofReceiver).toEqual({ fee: BigInt(fee), sentAmount: BigInt(amount - fee) });
  expect(chargeFor(ruleOf(given), BigInt(amount))).toEqual({
    fee: BigInt(fee),
    sentAmount: BigInt(amount),
  });
});

test("without a rule a payout costs nothing", () => {
  expect(chargeFor(undefined, 12_500n)).toEqual({ fee: 0n, sentAmount: 12_500n });
  expect(feeRuleOf(feeColumnsOf({}))).toBeUndefined();
});

const units = fc.bigInt({ min: 1n, max: 2n ** 53n - 1n });
const digits = (count: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: count }).map((some) => some.join(""));
const percents = fc
  .tuple(fc.integer({ min: 0, max: 99 }), digits(4))
  .map(([whole, places]) => (places === "" ? `${whole}` : `${whole}.${places}`))
  .filter((text) => new RegExp(percentPattern).test(text));

/** The fee as a fraction, bounded exactly, and then rounded: the definition, read from the digits of the percentage. */
function exactFee(
  { fixed, percent, min, max }: Record<"fixed" | "min" | "max", bigint> & { percent: string },
  amount: bigint,
): bigint {
  const [whole = "", places = ""] = percent.split(".");
  const below = 100n * 10n ** BigInt(places.length);
  let above = fixed * below + amount * BigInt(whole + places);
  if (above < min * below) above = min * below;
  if (above > max * below) above = max * below;
  const floor = above / below;
  return 2n * (above - floor * below) >= below ? floor + 1n : floor;
}

test("every fee is the exact fraction within its bounds, rounded half up", () => {
  fc.assert(
    fc.property(percents, units, units, units, units, (percent, amount, fixed, one, other) => {
      const [min, max] = one < other ? [one, other] : [other, one];
      const rule: FeeRule = { fixed, rate: rateOf(percent), min, max, bearer: "subaccount" };
      expect(feeOf(rule, amount)).toBe(exactFee({ fixed, percent, min, max }, amount));
      for (const bearer of ["subaccount", "receiver"] as const) {
        const { fee, sentAmount } = chargeFor({ ...rule, bearer }, amount);
        expect(fee + sentAmount).toBe(bearer === "receiver" ? amount : amount + fee);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("a larger amount never costs less", () => {
  fc.assert(
    fc.property(percents, units, units, (percent, one, other) => {
      const rule = ruleOf({ fixed: 30, percent, min: 40, max: 500_000 });
      const [less, more] = one < other ? [one, other] : [other, one];
      expect(feeOf(rule, less)).toBeLessThanOrEqual(feeOf(rule, more));
    }),
  );
});

describe("the fields", () => {
  const pattern = new RegExp(percentPattern);
  test("a percentage is above 0 and below 100, with at most 4 decimals", () => {
    for (const text of ["1", "0.25", "0.0001", "99.9999", "10"]) expect(text).toMatch(pattern);
    for (const text of ["0", "0.0", "00.0000", "100", "0.00001", ".5", "1.", "-1", "1e1", "1 %"]) {
      expect(text).not.toMatch(pattern);
    }
  });

  test("bounds and bearer need a fee, and the lowest fee is not above the highest", () => {
    expect(feeProblems({})).toEqual([]);
    expect(feeProblems({ fee_fixed: 1, fee_min: 2, fee_max: 2, fee_bearer: "receiver" })).toEqual(
      [],
    );
    expect(
      feeProblems({ fee_min: 1, fee_max: 2, fee_bearer: "receiver" }).map(({ field }) => field),
    ).toEqual(["fee_min", "fee_max", "fee_bearer"]);
    expect(feeProblems({ fee_percent: "1", fee_min: 3, fee_max: 2 })).toMatchObject([
      { code: "BANK201", field: "fee_max" },
    ]);
  });

  test("two users compare a fee in one line", () => {
    const line = (given: object) => feeInWords({ ...feeColumnsOf(given), currency: "AUD" });
    expect(line({})).toBe("none");
    expect(line({ fee_fixed: 50 })).toBe("0.50 AUD, on top of the amount");
    expect(
      line({
        fee_fixed: 30,
        fee_percent: "0.25",
        fee_min: 100,
        fee_max: 250_000,
        fee_bearer: "receiver",
      }),
    ).toBe("0.30 AUD + 0.25 %, at least 1.00 AUD, at most 2,500.00 AUD, taken out of the amount");
  });
});
