// Money on the wire. What money is, the package knows that reads and writes it in bank files.

import { decimals } from "../../../../packages/bank-formats/src/money.ts";
import { limits } from "../limits/index.ts";

export {
  currencyCodes,
  decimals,
  format,
  formatGrouped,
  formatPlain,
  isCurrency,
  parseDecimal,
  toDecimal,
  toSum,
} from "../../../../packages/bank-formats/src/money.ts";

const wholeText = /^[1-9][0-9]{0,15}$/;

/**
 * Minor units from the wire: a whole number above zero, as a number or as a text of digits. Undefined for
 * everything else. A number that JSON can't carry exactly is refused: it may have been another one.
 */
export function readAmount(value: unknown): bigint | undefined {
  if (typeof value === "number") {
    return Number.isSafeInteger(value) && value > 0 ? BigInt(value) : undefined;
  }
  if (typeof value !== "string" || !wholeText.test(value)) return undefined;
  const amount = BigInt(value);
  return amount <= limits.amountMax ? amount : undefined;
}

/** On the wire an amount is a number. Every amount that we took is one exactly. */
export function toNumber(amount: bigint): number {
  const number = Number(amount);
  if (!Number.isSafeInteger(number)) throw new RangeError("an amount is too large for the wire");
  return number;
}

/**
 * A balance on the wire, which is a number. What can be funded keeps it exact; what a bank sends back later may exceed
 * that, and is then the nearest number instead of a failure.
 */
export function toNearest(amount: bigint): number {
  return Number(amount);
}

/** An example that shows how many decimals there are. */
export function thousand(currency: string): string {
  return ["1000", "0".repeat(decimals(currency))].filter((part) => part !== "").join(".");
}
