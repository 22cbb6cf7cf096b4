// The fields of the resources, by part 2 of the published document.

import { emailOf, middleName, person } from "./calls.ts";
import * as kinds from "./kinds.ts";
import { exactly, orEmpty, text } from "./kinds.ts";
import type { Fields } from "./promise.ts";

const address = ["address", "address2", "city", "state", "country", "postcode"];
const inAddress = (kindOf: (field: string) => kinds.Kind, fields = address): Fields =>
  Object.fromEntries(fields.map((field) => [`address_data.${field}`, kindOf(field)]));

export const receiver: Fields = {
  id: kinds.uuid,
  first_name: text,
  last_name: text,
  middle_name: text,
  email: text,
  gender: orEmpty(kinds.letter),
  dob: orEmpty(kinds.date),
  dialcode: orEmpty(kinds.digits),
  phone: orEmpty(kinds.digits),
  applicant_id: text,
  kyc_status: kinds.word,
  status: kinds.word,
  created_at: kinds.time,
  address_data: kinds.object,
  ...inAddress(() => text),
};

const {
  address: _a,
  address2: _b,
  city: _c,
  state: _d,
  postcode: _e,
  country: _f,
  ...ownFields
} = person;
const sent = (fields: Record<string, string>): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, exactly(value)]));

/** Of the receiver that the run has created. */
export const createdReceiver: Fields = {
  ...receiver,
  ...sent(ownFields),
  ...inAddress((field) => exactly(person[field as keyof typeof person])),
  middle_name: exactly(middleName),
  email: kinds.known("the email that was sent", (run) => emailOf(run, "full")),
};

export const account: Fields = {
  id: kinds.uuid,
  first_name: text,
  last_name: text,
  email: text,
  dob: orEmpty(kinds.date),
  gender: text,
  aka: text,
  occupation: text,
  reference: text,
  mobile_international_dialcode: text,
  mobile: text,
  home_phone_international_dialcode: text,
  home_phone: text,
  individual_or_business: text,
  abn: text,
  nzbn: text,
  acn: text,
  kyc_status: kinds.word,
  address_data: kinds.object,
  ...inAddress(() => text),
  bank_account_data: kinds.object,
  "bank_account_data.account_number": text,
  "bank_account_data.bank_code": text,
  "bank_account_data.bsb": text,
  account_data: kinds.object,
  "account_data.receiver_accepted": kinds.boolean,
  "account_data.receiver_address_accepted": kinds.boolean,
  "account_data.receiver_address_outcome": kinds.anything,
};

export const subaccount: Fields = {
  id: kinds.uuid,
  merchant_id: kinds.uuid,
  suba_name: text,
  title: text,
  first_name: text,
  last_name: text,
  email: text,
  dob: orEmpty(kinds.date),
  kassi_status: kinds.capitals,
  business_name: text,
  business_or_individual: text,
  support_email: text,
  mobile_dialcode: orEmpty(kinds.plus),
  mobile: text,
  home_phone_international_dialcode: orEmpty(kinds.plus),
  home_telephone: text,
  address_data: kinds.object,
  ...inAddress(() => text, ["address", "suburb", "state", "country", "postcode"]),
  has_passed_kyc: text,
  kyc_status: text,
  postback_url: text,
  sms_provider: text,
  email_provider: text,
  created_at: kinds.time,
};
