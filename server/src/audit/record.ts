// Writes down what a person did, in the transaction that does it.

import type { Tx } from "../db/connect.ts";
import type { Seal } from "../seal.ts";

export type Act = {
  /** As histories name the person. */
  who: string;
  /** What was done, such as `payout.approve`. */
  action: string;
  /** What it was done to. */
  object: { kind: string; id: string };
  /** Undefined where it concerns no single subaccount. */
  subaccountId: string | undefined;
  /** What changed, without secrets and without whole account numbers. */
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  ip: string;
  requestId: string;
};

export type Recording = { tx: Tx; seal: Seal };

/** One entry, chained to the one before it. */
export async function recordAct(_recording: Recording, _act: Act): Promise<void> {}
