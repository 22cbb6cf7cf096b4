// The shapes that travel on the wire about events and where they go.

/** What is to become different about the subaccount. What is left out stays as it is. */
export type SubaccountChange = {
  /** A public https address; empty: nowhere. Set again, it enables what was disabled. */
  postback_url?: string;
  title?: string;
  first_name?: string;
  last_name?: string;
  email?: string;
  support_email?: string;
  mobile_dialcode?: string;
  mobile?: string;
  home_phone_international_dialcode?: string;
  home_telephone?: string;
};

/** When a secret was made and when it ends, never what it is. */
export type PostbackSecret = {
  /** Milliseconds since the Unix epoch, as a string. */
  created_at: string;
  /** Null: it goes on until the next rotation. */
  expires_at: string | null;
};

/** For how long the secrets before go on. */
export type SecretRotation = {
  /** Seconds, 0 to 604,800. Default: a day. */
  overlap_s?: number;
};

/** A new secret, and all that are live now. */
export type RotatedSecret = {
  /** Shown this once. */
  secret: string;
  secrets: PostbackSecret[];
};

/** How the delivery of events stands. */
export type Postback = {
  /** Empty: nowhere. */
  postback_url: string;
  status: "none" | "working" | "failing" | "disabled";
  failing_since: string | null;
  /** The longest of these that it has been failing for. */
  failing_for: "1h" | "24h" | "7d" | null;
  disabled_at: string | null;
  /** May lie in the past: then it is due. */
  next_attempt_at: string | null;
  oldest_waiting_at: string | null;
  /** Counted up to 10,000 and no further. */
  waiting: number;
  secrets: PostbackSecret[];
};
