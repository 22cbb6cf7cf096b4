// What other nouns use of person. The rest of this folder is private to it.

export {
  type AccountFields,
  type AccountStatus,
  type AddressOutcome,
  accountNumberIdentity,
  addressOutcome,
  addressOutcomes,
  blankAccount,
  hasSameBankDetails,
  isAddressAccepted,
  maskedNumber,
  tailOf,
} from "./account.ts";
export {
  contactIdentity,
  openContact,
  openNumber,
  openNumberIfReadable,
  openNumberWith,
  type StoredNumber,
  sealContact,
} from "./contact.ts";
export {
  birthMark,
  ifReadable,
  openPerson,
  openPersonIfReadable,
  openPersonWith,
  openValue,
  type PersonColumns,
  type PersonFields,
  personIdentity,
  personKeyIdentity,
  personKeyOf,
  phoneMark,
  type StoredPerson,
  sealPerson,
  type Unopened,
} from "./person.ts";
