// The interface that every payee name check implements: whether the bank knows the account by this name.

import type { Mode } from "../../platform/base/index.ts";

/** `close_match`: nearly the same name. `unavailable`: the bank gives no answer about this account. */
export const payeeNameOutcomes = ["match", "close_match", "no_match", "unavailable"] as const;
export type PayeeNameOutcome = (typeof payeeNameOutcomes)[number];

/** Only here and for payments is the account number decrypted. */
export type PayeeToCheck = {
  /** The name that payments carry. */
  name: string;
  isBusiness: boolean;
  /** ISO 3166-1 alpha-3. */
  country: string;
  bsb: string;
  bankCode: string;
  accountNumber: string;
};

export type PayeeNameChecker = {
  readonly name: string;
  /** When it throws, it is asked again later. Its errors contain no name and no account number. */
  check(payee: PayeeToCheck, signal: AbortSignal): Promise<PayeeNameOutcome>;
};

/** Absent: the checks of this mode wait until there is one. */
export type PayeeNameCheckers = Partial<Record<Mode, PayeeNameChecker>>;
