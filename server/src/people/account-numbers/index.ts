// What other nouns use of account-numbers. The rest of this folder is private to it.

export { bicField, foreignBic, isBic } from "./bic.ts";
export { doubtfulIban, hasIban, ibanField, isIban, isSepa, lettersOf } from "./iban.ts";
export {
  findNewZealandBank,
  hasBranch,
  hasRightCheckDigits,
  type NewZealandAccount,
} from "./new-zealand-check.ts";
export { isRoutingNumber } from "./routing-number.ts";
export {
  type BankDetails,
  type BankField,
  type BusinessNumber,
  bankProblem,
  type CheckedBankDetails,
  type CountryRules,
  defineCountry,
  type Field,
  type Finding,
  gap,
  grouped,
  refuseZeros,
  warning,
  withoutGaps,
} from "./rules.ts";
