// The caller of the API: which subaccount, in which mode, with which key and scopes.

import type { TraceContext } from "../tracing/index.ts";

export const modes = ["test", "live"] as const;
export type Mode = (typeof modes)[number];

export const scopes = ["read", "write", "payout", "bank_details"] as const;
export type Scope = (typeof scopes)[number];

/** An authenticated caller: its key and signature are verified. */
export type Caller = {
  subaccountId: string;
  mode: Mode;
  key: string;
  /** Scopes of the key. Undefined without a key: a user of the console or the command line. */
  scopes?: ReadonlySet<Scope>;
  requestId: string;
  /** Set if a user acts in place of a caller: then histories name the user. */
  who?: string;
  /** Nonce of a version 2 signature. A write records it, so that the request can't be replayed. */
  nonce: { value: string; expiresAtMs: number } | undefined;
  /** Set for a POST with an Idempotency-Key. The hash covers the whole request. */
  idempotency?: { key: string; requestHash: string } | undefined;
  /** The span of the request. Only where tracing is on. */
  trace?: TraceContext | undefined;
};

/** How histories name the caller. */
export function whoOf({ key, who }: Pick<Caller, "key" | "who">): string {
  return who ?? `key:${key}`;
}
