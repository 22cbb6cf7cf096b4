// Account numbers in files of banks in New Zealand, and the hash total over them.

import {
  findNewZealandBank,
  hasBranch,
  hasRightCheckDigits,
  type NewZealandAccount,
} from "../account-numbers/index.ts";
import type { Payment } from "../format.ts";

/** By how many digits there are: the lengths of base and suffix, after bank 2 and branch 4. */
const shapes: ReadonlyMap<number, readonly [base: number, suffix: number]> = new Map([
  [15, [7, 2]],
  [16, [7, 3]],
  [17, [8, 3]],
  [18, [8, 4]],
]);

export function splitNewZealandAccount(digits: string): NewZealandAccount | undefined {
  const [base] = shapes.get(digits.length) ?? [];
  if (base === undefined || !/^\d+$/.test(digits)) return undefined;
  return {
    bank: digits.slice(0, 2),
    branch: digits.slice(2, 6),
    base: digits.slice(6, 6 + base),
    suffix: digits.slice(6 + base),
  };
}

/** Bank and branch may stand in the BSB. */
export function wholeAccountNumber({ bsb, accountNumber }: Payment): string {
  return accountNumber.length < 15 ? bsb + accountNumber : accountNumber;
}

/** What is doubtful about an account number; undefined where nothing is. Real samples of banks fail it. */
export function doubtAbout(account: NewZealandAccount): string | undefined {
  const bank = findNewZealandBank(account.bank);
  if (!bank) return `no bank that we know has the number ${account.bank}`;
  if (!hasBranch(bank, account.branch)) {
    return `no branch that we know of bank ${account.bank} has the number ${account.branch}`;
  }
  if (/^0+$/.test(account.base)) return "the base of the account number is all zeros";
  if (hasRightCheckDigits(account, bank.method)) return undefined;
  const end = (account.base + account.suffix).slice(-3);
  return `the check digits of the account number that ends in ${end} are wrong`;
}

const hashDigits = 11;
const hashLimit = 10 ** hashDigits;

/** The sum of branch and base of every account, of which the last 11 digits count. */
export class HashTotal {
  readonly #baseDigits: number;
  #sum = 0;

  /** Every bank's guide says seven. Some programs take eight, with a zero before. */
  constructor(baseDigits: 7 | 8 = 7) {
    this.#baseDigits = baseDigits;
  }

  /** Of a base of eight digits, the first is left out. */
  add({ branch, base }: NewZealandAccount): void {
    const number = branch + base.slice(-7).padStart(this.#baseDigits, "0");
    this.#sum = (this.#sum + Number(number)) % hashLimit;
  }

  /** Without zeros before it. */
  get value(): string {
    return String(this.#sum);
  }

  /** Eleven digits. */
  get digits(): string {
    return this.value.padStart(hashDigits, "0");
  }
}
