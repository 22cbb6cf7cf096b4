// The shapes that travel on the wire, spelt exactly as the published interface spells them.

/** Where a receiver stands. */
export type ReceiverStatus = "creating" | "pending" | "active" | "inactive" | "failed";

/** How far the identity check of a receiver has come. */
export type KycStatus = "pending" | "completed" | "failed";

/** The postal address of a receiver. */
export type ReceiverAddress = {
  address: string;
  address2: string;
  state: string;
  city: string;
  /** Three upper-case letters, such as `AUS`. */
  country: string;
  postcode: string;
};

/** A person who is to receive payouts. */
export type Receiver = {
  id: string;
  first_name: string;
  last_name: string;
  /** Empty when there is none. */
  middle_name: string;
  email: string;
  /** One letter. */
  gender: string;
  /** Date of birth, YYYY-MM-DD. */
  dob: string;
  /** Telephone country code: digits, no plus sign. */
  dialcode: string;
  phone: string;
  /** Names this receiver at the identity check. */
  applicant_id: string;
  kyc_status: KycStatus;
  status: ReceiverStatus;
  /** Milliseconds since the Unix epoch, as a string. */
  created_at: string;
  address_data: ReceiverAddress;
};

/** What it takes to create a receiver. */
export type NewReceiver = {
  first_name: string;
  last_name: string;
  /** No two receivers share one. */
  email: string;
  middle_name?: string;
  /** Date of birth, YYYY-MM-DD. */
  dob: string;
  /** Telephone country code: digits, no plus sign. */
  dialcode: string;
  phone: string;
  address: string;
  /** Must be sent; an empty string will do. */
  address2: string;
  /** One letter. */
  gender: string;
  city: string;
  state: string;
  postcode: string;
  /** Three upper-case letters, such as `AUS`. */
  country: string;
  /** Your own name for the receiver. */
  reference?: string;
};

/** The answer to a creation. */
export type CreatedReceiver = {
  receiver_id: string;
  /** A code, not a word as in `Receiver`: `"0"` stands for pending. */
  kyc_status: string;
};

/** Which receivers a list holds. */
export type ReceiverFilter = {
  /** How many receivers one page holds at most. */
  limit?: number;
  status?: ReceiverStatus;
  kyc_status?: KycStatus;
  /** Where to go on: the `nextCursor` of an earlier page. */
  cursor?: string;
};

/** The postal address on a receiver account. */
export type ReceiverAccountAddress = {
  address: string;
  address2: string;
  city: string;
  state: string;
  country: string;
  postcode: string;
};

/** The bank details of a receiver account. Strings, because leading zeros count. */
export type BankAccountData = {
  account_number: string;
  bank_code: string;
  bsb: string;
};

/** Whether money can be sent to a receiver account. */
export type AccountData = {
  receiver_accepted: boolean;
  receiver_address_accepted: boolean;
  /** Null until the address has been checked. */
  receiver_address_outcome: string | null;
};

/** A bank account of a receiver. */
export type ReceiverAccount = {
  id: string;
  first_name: string;
  last_name: string;
  email: string;
  /** Date of birth, YYYY-MM-DD. */
  dob: string;
  gender: string;
  /** Another name the holder goes by; may be empty. */
  aka: string;
  occupation: string;
  /** Your own name for the receiver. */
  reference: string;
  mobile_international_dialcode: string;
  mobile: string;
  home_phone_international_dialcode: string;
  home_phone: string;
  /** `I` for an individual, `B` for a business. */
  individual_or_business: string;
  abn: string;
  nzbn: string;
  acn: string;
  kyc_status: KycStatus;
  address_data: ReceiverAccountAddress;
  bank_account_data: BankAccountData;
  account_data: AccountData;
};

/** The postal address of a subaccount: a suburb, and no second line. */
export type SubaccountAddress = {
  address: string;
  suburb: string;
  state: string;
  country: string;
  postcode: string;
};

/** The account that the API key belongs to. */
export type Subaccount = {
  id: string;
  merchant_id: string;
  suba_name: string;
  title: string;
  first_name: string;
  last_name: string;
  email: string;
  /** Date of birth, YYYY-MM-DD. */
  dob: string;
  kassi_status: string;
  business_name: string;
  business_or_individual: string;
  support_email: string;
  /** With its plus sign, unlike a receiver's. */
  mobile_dialcode: string;
  mobile: string;
  home_phone_international_dialcode: string;
  home_telephone: string;
  address_data: SubaccountAddress;
  has_passed_kyc: string;
  kyc_status: string;
  /** Where events are sent. */
  postback_url: string;
  sms_provider: string;
  email_provider: string;
  /** Milliseconds since the Unix epoch, as a string. */
  created_at: string;
};

/** A payout was accepted. */
export type PayoutCreated = {
  event: "payoutCreated";
  amount: number;
  currency: string;
  payout_id: string;
  receiver_account_id: string;
  receiver_id: string;
  reference: string;
  status: "pending";
  subccount_id: string; // Sic, in all four events.
  timestamp: number;
};

/** A payout arrived. */
export type PayoutUpdate = {
  event: "payoutUpdate";
  amount: number;
  currency: string;
  payout_id: string;
  receiver_account_id: string;
  receiver_id: string;
  reference: string;
  status: "successful";
  subccount_id: string;
  timestamp: number;
};

/** A payout did not arrive, or came back. */
export type PayoutFailure = {
  event: "payoutFailure";
  amount: number;
  currency: string;
  payout_id: string;
  receiver_account_id: string;
  receiver_id: string;
  reference: string;
  status: "failed";
  subccount_id: string;
  timestamp: string; // Digits in a string, here alone.
  /** Why it failed, in words. */
  cause: string;
};

/** The identity check of a receiver moved on. */
export type ReceiverKycUpdate = {
  event: "receiverKycUpdate";
  receiver_id: string;
  status: KycStatus;
  subccount_id: string;
  timestamp: number;
};

/** Whatever the service may announce; `event` tells which. */
export type DisburseEvent = PayoutCreated | PayoutUpdate | PayoutFailure | ReceiverKycUpdate;
