// The shapes that travel on the wire, spelt exactly as the published interface spells them.

/** One plain shape instead of an intersection, for messages of the compiler that can be read. */
type Flat<Shape> = { [Field in keyof Shape]: Shape[Field] };

/** Your own keys and values: up to 20 keys of a-z, 0-9, `_`, `.` and `-`, with texts of up to 500 characters. */
export type Metadata = Record<string, string>;

/** The state of a receiver. */
export type ReceiverStatus = "creating" | "pending" | "active" | "inactive" | "failed";

/** The state of a receiver's identity check. */
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
  /** Only where it was set. */
  metadata?: Metadata;
};

/** The fields of a new receiver. */
export type NewReceiver = {
  first_name: string;
  last_name: string;
  /** Unique among the receivers of the subaccount. */
  email: string;
  middle_name?: string;
  /** Date of birth, YYYY-MM-DD. */
  dob: string;
  /** Telephone country code: digits, no plus sign. */
  dialcode: string;
  phone: string;
  address: string;
  /** Required, may be empty. */
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
  /** A change replaces all of it. */
  metadata?: Metadata;
};

/** The response to a creation, and to a restart of the identity check. */
export type CreatedReceiver = {
  receiver_id: string;
  /** A code, not a word as in `Receiver`: `"0"` stands for pending. */
  kyc_status: string;
};

/** A page of the identity check for the person. */
export type KycLink = {
  receiver_id: string;
  /** A secret of the person: it needs no sign-in. Don't log or store it. */
  url: string;
  /** Milliseconds since the Unix epoch. */
  expires_at: string;
};

/** The fields to change of a receiver. Omitted fields do not change. */
export type ReceiverChange = Flat<Partial<NewReceiver> & { status?: "active" | "inactive" }>;

/** What is left: an inactive receiver with empty texts. */
export type ErasedReceiver = {
  receiver_id: string;
  status: string;
  /** Milliseconds since the Unix epoch. */
  erased_at: string;
};

/** The response to a deletion. */
export type DeletedReceiver = {
  receiver_id: string;
  status: string;
};

/** Filters of a list of receivers. */
export type ReceiverFilter = {
  /** How many receivers one page holds at most. */
  limit?: number;
  status?: ReceiverStatus;
  kyc_status?: KycStatus;
  /** The whole email. */
  email?: string;
  /** Your own name for the receiver, whole. */
  reference?: string;
  /** One key and its value. */
  metadata?: Metadata;
  /** Where to continue: the `nextCursor` of an earlier page. */
  cursor?: string;
};

/** The state of a receiver at some time. */
export type ReceiverStates = {
  status: ReceiverStatus;
  kyc_status: KycStatus;
};

/** One change of a receiver's state. */
export type HistoryEntry = {
  id: string;
  /** Milliseconds since the Unix epoch, as a string. */
  when: string;
  /** Who changed it: a key, an operator, an identity check or the service itself. */
  who: string;
  reason: string;
  /** Null for the creation. */
  from: ReceiverStates | null;
  to: ReceiverStates;
};

/** How much of a history to read, and from where. */
export type HistoryFilter = {
  /** How many entries one page holds at most. */
  limit?: number;
  /** Where to continue: the `nextCursor` of an earlier page. */
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

/** The bank details of a receiver account. Strings, because leading zeros are significant. */
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
  /** Only for a business; may be empty. */
  business_name?: string;
  /** Only in the United States. */
  checking_or_savings?: "checking" | "savings";
  kyc_status: KycStatus;
  /** Whether the bank knows the payee by this name. Absent until it was checked. */
  payee_name_check?: "match" | "close_match" | "no_match" | "unavailable";
  address_data: ReceiverAccountAddress;
  bank_account_data: BankAccountData;
  account_data: AccountData;
  /** Only where it was set. */
  metadata?: Metadata;
};

/** The fields of a new receiver account. Numbers are strings, because leading zeros are significant. */
export type NewReceiverAccount = {
  receiver_id: string;
  /** `I` for an individual, `B` for a business. */
  account_type: string;
  account_number: string;
  /** If the country has one, such as Australia. */
  bsb?: string;
  /** If the country has one. */
  bank_code?: string;
  /** Another name the holder goes by. */
  aka?: string;
  occupation?: string;
  /** Telephone country code: digits, no plus sign. */
  homedialcode?: string;
  homephone?: string;
  abn?: string;
  acn?: string;
  nzbn?: string;
  /** The name of a business that holds the account, as its bank knows it; defaults to the receiver's name. */
  business_name?: string;
  /** `checking` or `savings`, in the United States only; defaults to `checking`. */
  checking_or_savings?: string;
  /** The address, down to the postcode, defaults to the receiver's. */
  address?: string;
  address2?: string;
  city?: string;
  state?: string;
  /** Three upper-case letters, such as `AUS`. */
  country?: string;
  postcode?: string;
  /** Your own name for the account; defaults to the receiver's. */
  reference?: string;
  /** A change replaces all of it. */
  metadata?: Metadata;
};

/** A warning about an account that was accepted. */
export type AccountWarning = {
  field: string;
  message: string;
};

/** The response to the creation of an account. */
export type CreatedReceiverAccount = {
  account_id: string;
  /** The same as `account_id`. */
  receiver_account_id: string;
  receiver_id: string;
  status: string;
  warnings: AccountWarning[];
};

/** The fields to change of an account. Omitted fields do not change. */
export type ReceiverAccountChange = Partial<Omit<NewReceiverAccount, "receiver_id">>;

/** The response to the deletion of an account. */
export type DeletedReceiverAccount = {
  account_id: string;
  /** The same as `account_id`. */
  receiver_account_id: string;
  receiver_id: string;
  status: string;
};

/** An account that may have no receiver yet; its country must then be given. */
export type ReceiverAccountToValidate = Flat<
  Omit<NewReceiverAccount, "receiver_id"> & Partial<Pick<NewReceiverAccount, "receiver_id">>
>;

/** The account as it would be created. */
export type ValidatedReceiverAccount = {
  /** Empty when it is not known. */
  bank_name: string;
  bank_account_data: BankAccountData;
  /** Only in the United States. */
  checking_or_savings?: string;
  account_data: AccountData;
  warnings: AccountWarning[];
};

/** A document of JSON Schema, for a form or a validator. */
export type JsonSchema = Record<string, unknown>;

/** The outcome to set, in a test subaccount. */
export type TestStatus =
  | {
      /** A receiver's. */
      id: string;
      type: "kyc";
      status: "success" | "fail";
      /** Why, for the history. */
      cause_code?: string;
    }
  | {
      /** A payout's. */
      id: string;
      type: "payout";
      /** Only what has arrived can return. */
      status: "success" | "fail" | "return";
      /** Why, as the bank would say it. */
      cause_code?: string;
    };

/** The response to it. */
export type TestStatusSet = {
  id: string;
  type: string;
  status: string;
};

/** A simulated deposit in a test subaccount. */
export type TestFunding = {
  /** Minor units, such as cents: a whole number, or a string of digits. */
  amount: number | string;
  /** Three upper-case letters, such as `AUD`. */
  currency: string;
  /** Each reference funds once; generated if omitted. */
  reference?: string;
};

/** The postal address of a subaccount: a suburb, and no second line. */
export type SubaccountAddress = {
  address: string;
  suburb: string;
  state: string;
  country: string;
  postcode: string;
};

/** The subaccount of the API key. */
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
