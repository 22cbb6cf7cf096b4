// Records as the service would send them, for the scripted server to answer with.

import type {
  Balance,
  BalanceEntry,
  HistoryEntry,
  NewPayout,
  NewReceiver,
  NewReceiverAccount,
  Payout,
  PayoutBatch,
  PayoutHistoryEntry,
  Receiver,
  ReceiverAccount,
  Subaccount,
} from "../src/index.ts";

export const newReceiver: NewReceiver = {
  first_name: "Zoë",
  last_name: "O'Brien",
  email: "zoe@example.com",
  dob: "1990-02-28",
  dialcode: "61",
  phone: "412345678",
  address: "1 St. Kilda Road",
  address2: "",
  gender: "F",
  city: "Melbourne",
  state: "VIC",
  postcode: "3004",
  country: "AUS",
};

export function receiver(id: string): Receiver {
  return {
    id,
    first_name: "Zoë",
    last_name: "O'Brien",
    middle_name: "",
    email: `${id}@example.com`,
    gender: "F",
    dob: "1990-02-28",
    dialcode: "61",
    phone: "412345678",
    applicant_id: "applicant-1",
    kyc_status: "pending",
    status: "pending",
    created_at: "1731628800000",
    address_data: {
      address: "1 St. Kilda Road",
      address2: "",
      state: "VIC",
      city: "Melbourne",
      country: "AUS",
      postcode: "3004",
    },
  };
}

export function historyEntry(id: string): HistoryEntry {
  return {
    id,
    when: "1731628800000",
    who: "provider:sandbox",
    reason: "approved",
    from: { status: "pending", kyc_status: "pending" },
    to: { status: "active", kyc_status: "completed" },
  };
}

/** Has leading zeros, which must be sent. */
export const newReceiverAccount: NewReceiverAccount = {
  receiver_id: "receiver-1",
  account_type: "I",
  account_number: "000123456",
  bsb: "012003",
  postcode: "0800",
  homedialcode: "61",
  homephone: "0890000000",
};

export const receiverAccount: ReceiverAccount = {
  id: "account-1",
  first_name: "Zoë",
  last_name: "O'Brien",
  email: "zoe@example.com",
  dob: "1990-02-28",
  gender: "F",
  aka: "",
  occupation: "",
  reference: "",
  mobile_international_dialcode: "61",
  mobile: "412345678",
  home_phone_international_dialcode: "",
  home_phone: "",
  individual_or_business: "I",
  abn: "",
  nzbn: "",
  acn: "",
  kyc_status: "completed",
  address_data: {
    address: "1 St. Kilda Road",
    address2: "",
    city: "Melbourne",
    state: "VIC",
    country: "AUS",
    postcode: "3004",
  },
  bank_account_data: { account_number: "012345678", bank_code: "", bsb: "062000" },
  account_data: {
    receiver_accepted: true,
    receiver_address_accepted: true,
    receiver_address_outcome: null,
  },
};

export const newPayout: NewPayout = {
  receiver_id: "receiver-1",
  account_id: "account-1",
  amount: 12_500,
  currency: "AUD",
  reference: "invoice 7",
};

export function payout(id: string): Payout {
  return {
    id,
    receiver_id: "receiver-1",
    receiver_account_id: "account-1",
    batch_id: null,
    amount: 12_500,
    currency: "AUD",
    reference: "invoice 7",
    note: "",
    status: "pending",
    stage: "queued",
    cause: "",
    cause_code: "",
    provider_reference: "",
    send_on: "",
    statement_reference: "",
    purpose: "",
    process_date: "",
    expected_arrival: "",
    bank_batch_id: null,
    created_at: "1731628800000",
    updated_at: "1731628800000",
  };
}

export const payoutBatch: PayoutBatch = {
  id: "batch-1",
  created_at: "1731628800000",
  count: 2,
  totals: [{ currency: "AUD", count: 2, amount: 25_000 }],
  statuses: [
    { status: "pending", count: 1 },
    { status: "successful", count: 1 },
  ],
};

export const payoutHistory: PayoutHistoryEntry[] = [
  {
    id: "2",
    when: "1731628801000",
    who: "rail:sandbox",
    reason: "submitted",
    from: { status: "pending", stage: "queued" },
    to: { status: "pending", stage: "submitted" },
  },
  {
    id: "1",
    when: "1731628800000",
    who: "key:ak_test_1",
    reason: "created",
    from: null,
    to: { status: "pending", stage: "queued" },
  },
];

export const balance: Balance = {
  currency: "AUD",
  available: 87_500,
  held: 12_500,
  in_transit: 4_000,
};

export function balanceEntry(number: number): BalanceEntry {
  return {
    id: `entry-${number}`,
    number,
    when: "1731628800000",
    kind: "hold",
    debit: "available",
    credit: "held",
    amount: 12_500,
    currency: "AUD",
    payout_id: "payout-1",
    reference: "invoice 7",
    available: 87_500,
    held: 12_500,
  };
}

export const subaccount: Subaccount = {
  id: "subaccount-1",
  merchant_id: "merchant-1",
  suba_name: "Example",
  title: "Ms",
  first_name: "Ada",
  last_name: "Byron",
  email: "ada@example.com",
  dob: "1980-12-10",
  kassi_status: "ACCEPTED",
  business_name: "Example Pty Ltd",
  business_or_individual: "B",
  support_email: "support@example.com",
  mobile_dialcode: "+61",
  mobile: "412345679",
  home_phone_international_dialcode: "+61",
  home_telephone: "390000000",
  address_data: {
    address: "2 Collins Street",
    suburb: "Melbourne",
    state: "VIC",
    country: "AUS",
    postcode: "3000",
  },
  has_passed_kyc: "N/A",
  kyc_status: "pending",
  postback_url: "https://example.com/events",
  sms_provider: "none",
  email_provider: "none",
  created_at: "1731628800000",
};

/** An event in the format of the feed. */
export function feedEvent(id: string): string {
  const data = { event: "receiverKycUpdate", receiver_id: "receiver-1", status: "completed" };
  return `id: ${id}\nevent: receiverKycUpdate\ndata: ${JSON.stringify(data)}\n\n`;
}
