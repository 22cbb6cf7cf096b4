// Types for the part of uk-modulus-checking that we use. The package has none.

declare module "uk-modulus-checking" {
  export type Check = { mod: "MOD10" | "MOD11" | "DBLAL"; exception: number | null };

  export default class UkModulusChecking {
    accountNumber: string;
    sortCode: string;
    constructor(account: { accountNumber?: string; sortCode?: string });
    getCheckWeight(check: Check, number: string): number[];
    getNumber(check: Check, accountNumber?: string): string;
    isCheckValid(check: Check, accountNumber?: string): boolean;
    isValid(): boolean;
  }
}
