// Why a payout is set aside, and when it is tried again. Pure.

import { backoffMs } from "../../platform/base/index.ts";
import { limits } from "../../platform/limits/index.ts";

/** Shown in the console and on the command line. They hold no account number. */
export const setAsideReasons = {
  unreadable: "its account number can't be decrypted",
  unbuildable: "it can't be written into a file for the bank",
  unconfirmed: "the bank has not confirmed that it received it",
  in_review: "the bank has not confirmed that it received it, and it waits for a review",
  unrecorded: "its next step can't be recorded",
} as const;
export type SetAsideReason = keyof typeof setAsideReasons;

/**
 * The delay doubles with each attempt. The jitter spreads payouts that failed together over several batches, so that
 * one bad payout does not fail the same batch for ever.
 */
export function retryAtMs(nowMs: number, attempts: number, random: number): number {
  const waitMs = backoffMs(limits.railRetryMs, limits.railRetryMaxMs, attempts);
  return nowMs + Math.round(waitMs * (0.75 + random / 2));
}
