// The codes of NACHA files: entry classes, transaction codes with their direction, service classes.

import type { Sums } from "../report.ts";

/** Every standard entry class. */
export const entryClasses: ReadonlySet<string> = new Set(
  "ACK ADV ARC ATX BOC CCD CIE COR CTX DNE ENR IAT MTE POP POS PPD RCK SHR TEL TRC TRX WEB XCK".split(
    " ",
  ),
);

/** Their entries say how many addenda follow. */
export const countedClasses: ReadonlySet<string> = new Set(["ATX", "CTX", "ENR", "TRX"]);

/** Their entries must name who is paid or charged. */
export const namedClasses: ReadonlySet<string> = new Set(["CCD", "CTX", "PPD", "TEL", "WEB"]);

export const serviceClasses: ReadonlySet<string> = new Set(["200", "220", "225", "280"]);

/** Codes in use: current, savings, general ledger and loan accounts. */
const codesInUse: ReadonlySet<string> = new Set(
  `21 22 23 24 26 27 28 29 31 32 33 34 36 37 38 39
   41 42 43 44 46 47 48 49 51 52 53 54 55 56`.split(/\s+/),
);

const adviceCodes: ReadonlySet<string> = new Set("81 82 83 84 85 86 87 88".split(" "));

/**
 * What a code does to the account. Codes that are not in use count as debits unless they end like a credit: a file with
 * one is refused anyway, and its sums are only shown.
 */
export function directionOf(code: string, isAdvice: boolean): keyof Sums {
  if (isAdvice && adviceCodes.has(code)) return Number(code) % 2 === 1 ? "credit" : "debit";
  return /[1-4]$/.test(code) ? "credit" : "debit";
}

export function isTransactionCode(code: string, isAdvice: boolean): boolean {
  return isAdvice ? adviceCodes.has(code) : codesInUse.has(code);
}

/** Entries that test an account and move nothing. */
export function isPrenote(code: string): boolean {
  return /^[2-5][38]$/.test(code);
}

/** Entries that may be for nothing: prenotes, zero-dollar entries with information, and returns and changes of these. */
export function mayBeZero(code: string): boolean {
  return /^[2-5][134689]$/.test(code);
}

export const nachaCreditCodes = { checking: "22", savings: "32" } as const;
