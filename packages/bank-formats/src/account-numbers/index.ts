// Checks of IBANs, BICs, routing numbers and account numbers of New Zealand.

export { isBic } from "./bic.ts";
export { fitsInside, hasIban, ibanLength, isIban, isSepa, lettersOf } from "./iban.ts";
export {
  findNewZealandBank,
  hasBranch,
  hasRightCheckDigits,
  type NewZealandAccount,
} from "./new-zealand-check.ts";
export { isRoutingNumber } from "./routing-number.ts";
