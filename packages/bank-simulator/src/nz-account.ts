// Account numbers of New Zealand, and the hash total over them.

/** Bank 2, branch 4, base 7 or 8 and suffix 2 to 4 digits in one text; empty where the parts are none of an account. */
export function joinNzAccount(bank: string, branch: string, base: string, suffix: string): string {
  const parts = [bank.padStart(2, "0"), branch.padStart(4, "0"), base, suffix.trim()];
  const account = parts.join("");
  return isNzAccount(account) ? account : "";
}

export function isNzAccount(account: string): boolean {
  return /^\d{15,17}$/.test(account);
}

const hashModulus = 10n ** 11n;

/** Branch and the last seven digits of the base, added up; eleven digits stay. */
export function nzHashTotal(accounts: readonly string[]): bigint {
  const sum = accounts.reduce((total, account) => {
    const baseStart = account.length === 17 ? 7 : 6;
    return total + BigInt(account.slice(2, 6) + account.slice(baseStart, baseStart + 7));
  }, 0n);
  return sum % hashModulus;
}
