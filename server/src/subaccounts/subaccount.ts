// What a subaccount and its API keys are.

export const modes = ["test", "live"] as const;
export type Mode = (typeof modes)[number];

export const scopes = ["read", "write", "payout", "bank_details"] as const;
export type Scope = (typeof scopes)[number];

/** Of a key for which none are named. Changing bank details has to be asked for. */
export const usualScopes: readonly Scope[] = ["read", "write", "payout"];

/** By which a key moves money, or changes where money goes. */
export const moneyScopes: readonly Scope[] = ["payout", "bank_details"];

/** Who is calling, as proven by key and signature. */
export type Caller = {
  subaccountId: string;
  mode: Mode;
  key: string;
  /** Of the key. Undefined where there is none: a person or the command line. */
  scopes?: ReadonlySet<Scope>;
  requestId: string;
  /** Of a person in a caller's place: then histories name the person. */
  who?: string;
  /** Of a version 2 signature: a write records it, so that the same request can't be made twice. */
  nonce: { value: string; expiresAtMs: number } | undefined;
  /** Of a POST with an Idempotency-Key. The hash is of the whole request: a key stands for one alone. */
  idempotency?: { key: string; requestHash: string } | undefined;
};

/** How histories name the caller. */
export function whoOf({ key, who }: Pick<Caller, "key" | "who">): string {
  return who ?? `key:${key}`;
}

/** The row identity that a secret is sealed to. */
export function secretIdentity(key: string, secretId: string): string {
  return `api_secret:${key}:${secretId}`;
}
