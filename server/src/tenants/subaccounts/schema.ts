// The schemas of a subaccount.

import Type, { type Static } from "typebox";

const SubaccountAddress = Type.Object({
  address: Type.String(),
  suburb: Type.String(),
  state: Type.String(),
  country: Type.String(),
  postcode: Type.String(),
});

export const Subaccount = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    merchant_id: Type.String({ format: "uuid" }),
    suba_name: Type.String({ description: "Name of the subaccount" }),
    title: Type.String({ description: "Honorific" }),
    first_name: Type.String(),
    last_name: Type.String(),
    email: Type.String(),
    dob: Type.String({ description: "YYYY-MM-DD" }),
    kassi_status: Type.String({ description: "Upper-case word", examples: ["ACCEPTED"] }),
    business_name: Type.String(),
    business_or_individual: Type.String({ enum: ["B", "I"] }),
    support_email: Type.String(),
    mobile_dialcode: Type.String({ description: "With a leading plus sign" }),
    mobile: Type.String(),
    home_phone_international_dialcode: Type.String({ description: "With a leading plus sign" }),
    home_telephone: Type.String(),
    address_data: SubaccountAddress,
    has_passed_kyc: Type.String({ examples: ["N/A"] }),
    kyc_status: Type.String({ enum: ["pending", "completed", "failed"] }),
    postback_url: Type.String({ description: "URL to which events are sent" }),
    sms_provider: Type.String(),
    email_provider: Type.String(),
    created_at: Type.String({ description: "Milliseconds since the Unix epoch" }),
  },
  { title: "Subaccount" },
);
export type Subaccount = Static<typeof Subaccount>;
