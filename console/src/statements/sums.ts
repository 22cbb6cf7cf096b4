// Sums of minor units, which may be longer than a number carries. Pure.

import type { Sum } from "../state/money.ts";

export function minus(one: Sum, other: Sum): string {
  return (BigInt(one) - BigInt(other)).toString();
}

export function isZero(amount: Sum): boolean {
  return Number(amount) === 0;
}
