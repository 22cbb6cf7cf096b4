// The fee of a payout: how much it is, and who bears it. Pure.

export const feeBearers = ["subaccount", "receiver"] as const;
/** `subaccount`: it pays the fee on top of the amount. `receiver`: the fee is taken out of the amount. */
export type FeeBearer = (typeof feeBearers)[number];

/** Amounts are minor units of the payout's currency. */
export type FeeRule = {
  fixed: bigint;
  /** Of the amount, in millionths: 0.25 % is 2500n. */
  rate: bigint;
  min: bigint;
  /** Undefined: none. */
  max: bigint | undefined;
  bearer: FeeBearer;
};

/** Both together are taken from the balance. */
export type Charge = {
  fee: bigint;
  /** What goes to the bank. Not above zero where the fee would use up the amount: such a payout is refused. */
  sentAmount: bigint;
};

const million = 1_000_000n;

/** Rounded half up to the minor unit, once: the bounds are whole, so it makes no difference that they come after. */
export function feeOf({ fixed, rate, min, max }: FeeRule, amount: bigint): bigint {
  const rounded = (fixed * million + amount * rate + million / 2n) / million;
  const atLeast = rounded < min ? min : rounded;
  return max !== undefined && atLeast > max ? max : atLeast;
}

export function chargeFor(rule: FeeRule | undefined, amount: bigint): Charge {
  if (!rule) return { fee: 0n, sentAmount: amount };
  const fee = feeOf(rule, amount);
  return { fee, sentAmount: rule.bearer === "receiver" ? amount - fee : amount };
}

/** Below 100, with at most 4 places, and above zero. */
export const percentPattern = "^(?=.*[1-9])\\d{1,2}(\\.\\d{1,4})?$";

/** A percent as a rate: "0.25" is 2500n. */
export function rateOf(percent: string): bigint {
  const [whole = "0", places = ""] = percent.split(".");
  return BigInt(whole) * 10_000n + BigInt(places.padEnd(4, "0"));
}
