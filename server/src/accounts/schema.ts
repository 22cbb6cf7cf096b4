// What crosses the wire about a receiver's bank account.

import Type, { type Static } from "typebox";

export const ReceiverAccountAddress = Type.Object({
  address: Type.String(),
  address2: Type.String(),
  city: Type.String(),
  state: Type.String(),
  country: Type.String(),
  postcode: Type.String(),
});

export const BankAccountData = Type.Object({
  account_number: Type.String({ description: "A text: leading zeros count" }),
  bank_code: Type.String(),
  bsb: Type.String(),
});

export const AccountData = Type.Object({
  receiver_accepted: Type.Boolean(),
  receiver_address_accepted: Type.Boolean(),
  receiver_address_outcome: Type.Union([Type.Null(), Type.String()], {
    description: "Null until a check ran, then a word",
  }),
});

export const ReceiverAccount = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    first_name: Type.String(),
    last_name: Type.String(),
    email: Type.String(),
    dob: Type.String({ description: "YYYY-MM-DD" }),
    gender: Type.String(),
    aka: Type.String({ description: "Alias; may be empty" }),
    occupation: Type.String({ description: "May be empty" }),
    reference: Type.String({ description: "Your own reference for the receiver" }),
    mobile_international_dialcode: Type.String(),
    mobile: Type.String(),
    home_phone_international_dialcode: Type.String({ description: "May be empty" }),
    home_phone: Type.String({ description: "May be empty" }),
    individual_or_business: Type.String({ description: "I or B" }),
    abn: Type.String({ description: "May be empty" }),
    nzbn: Type.String({ description: "May be empty" }),
    acn: Type.String({ description: "May be empty" }),
    kyc_status: Type.String({ description: "pending, completed or failed" }),
    address_data: ReceiverAccountAddress,
    bank_account_data: BankAccountData,
    account_data: AccountData,
  },
  { title: "ReceiverAccount" },
);
export type ReceiverAccount = Static<typeof ReceiverAccount>;
