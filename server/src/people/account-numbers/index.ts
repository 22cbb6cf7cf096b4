// What other nouns use of account-numbers. The rest of this folder is private to it.

export { bicField, foreignBic } from "./bic.ts";
export { doubtfulIban, ibanField } from "./iban.ts";
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
