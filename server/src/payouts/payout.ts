// What a payout is, and whether it may be: the checks that need no database, in the order they are told. Pure.

import type { Mode } from "../caller.ts";
import { limits } from "../limits.ts";
import { decimals, readAmount } from "../money.ts";
import { problem, Refusal } from "../refusals/refusals.ts";
import type { NewPayout } from "./schema.ts";

/** As it is asked for, checked in its form. */
export type PayoutRequest = {
  receiverId: string;
  accountId: string;
  amount: bigint;
  currency: string;
  reference: string;
  note: string;
  allowDuplicate: boolean;
};

/** What the database knows about the two that a payout names. Undefined where it knows neither. */
export type PayoutContext = {
  receiver: { status: string; kycStatus: string } | undefined;
  account:
    | {
        receiverId: string;
        status: string;
        accepted: boolean;
        country: string;
        version: number;
        /** The bank details were changed, and nothing has been paid to them since. */
        isUnpaidChange: boolean;
      }
    | undefined;
  /** A payout of the last day that says the same. */
  twinId: string | undefined;
};

/** More than this waits for a second person; undefined: nothing does. */
export type Thresholds = {
  /** One payout. */
  approvalAbove: bigint | undefined;
  /** All payouts of one batch. */
  batchApprovalAbove: bigint | undefined;
  /** All that one receiver gets on one day. */
  receiverDayApprovalAbove: bigint | undefined;
};

/** What is left to pay with. It shrinks as payouts of one batch are accepted. */
export type BalanceState = Thresholds & {
  available: bigint;
  perPayoutMax: bigint | undefined;
  perDayMax: bigint | undefined;
  /** Nobody has set limits: the defaults are good. */
  isUnset: boolean;
  day: string;
  dayTotal: bigint;
};

/** Of a subaccount that never had any of the currency. */
export const noBalance: BalanceState = {
  available: 0n,
  perPayoutMax: undefined,
  perDayMax: undefined,
  approvalAbove: undefined,
  batchApprovalAbove: undefined,
  receiverDayApprovalAbove: undefined,
  isUnset: true,
  day: "",
  dayTotal: 0n,
};

export type PayoutRefusal =
  | "receiver-unknown"
  | "receiver-not-payable"
  | "account-unknown"
  | "account-not-accepted"
  | "no-bank"
  | "currency-unfit"
  | "over-payout-limit"
  | "over-day-limit"
  | "duplicate"
  | "no-funds";

/** Why the rail of the subaccount can't pay it. */
export type RailRefusal = Extract<PayoutRefusal, "no-bank" | "currency-unfit">;

/** The day that a limit counts, everywhere the same: that of UTC. */
export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** The day that counts: a day that has begun for one process has begun for all, whatever their clocks say. */
export function laterDay(purse: Pick<BalanceState, "day">, day: string): string {
  return purse.day > day ? purse.day : day;
}

export function spentOnDay(purse: Pick<BalanceState, "day" | "dayTotal">, day: string): bigint {
  return purse.day >= day ? purse.dayTotal : 0n;
}

/** The first thing that is in the way, in the order that callers are told to expect; undefined: nothing. */
export function refusalOf(
  wish: PayoutRequest,
  { receiver, account, twinId }: PayoutContext,
  purse: BalanceState,
  { unfit, day }: { unfit: (country: string) => RailRefusal | undefined; day: string },
): PayoutRefusal | undefined {
  if (!receiver) return "receiver-unknown";
  if (receiver.status !== "active" || receiver.kycStatus !== "completed") {
    return "receiver-not-payable";
  }
  if (account?.receiverId !== wish.receiverId) return "account-unknown";
  if (account.status !== "active" || !account.accepted) return "account-not-accepted";
  const railRefusal = unfit(account.country);
  if (railRefusal) return railRefusal;
  if (purse.perPayoutMax !== undefined && wish.amount > purse.perPayoutMax) {
    return "over-payout-limit";
  }
  if (purse.perDayMax !== undefined && spentOnDay(purse, day) + wish.amount > purse.perDayMax) {
    return "over-day-limit";
  }
  if (twinId !== undefined && !wish.allowDuplicate) return "duplicate";
  if (wish.amount > purse.available) return "no-funds";
  return undefined;
}

/** Of a live subaccount for which nobody has set any; test subaccounts have none. */
export function defaultThresholds(mode: Mode, currency: string): Thresholds {
  const amount =
    mode === "live"
      ? BigInt(limits.liveThresholdUnits) * 10n ** BigInt(decimals(currency))
      : undefined;
  return {
    approvalAbove: amount,
    batchApprovalAbove: amount,
    receiverDayApprovalAbove: amount,
  };
}

export function thresholdsOf(state: BalanceState, mode: Mode, currency: string): Thresholds {
  return state.isUnset && mode === "live" ? defaultThresholds(mode, currency) : state;
}

/** What a payout is part of, in its own currency and with itself. */
export type ReceiverDay = {
  batchTotal: bigint | undefined;
  receiverDayTotal: bigint;
  isUnpaidChange: boolean;
};

/** The rules by which a payout waits for a second person. */
export const approvalRules = ["payout", "batch", "receiver_day", "bank_details"] as const;
/** `above` is the threshold; a change of bank details has none. */
export type ApprovalReason = { rule: (typeof approvalRules)[number]; above: bigint | undefined };

/** Why a payout has to be approved. Empty: it doesn't. */
export function approvalReasons(
  { amount }: PayoutRequest,
  { approvalAbove, batchApprovalAbove, receiverDayApprovalAbove }: Thresholds,
  { batchTotal = 0n, receiverDayTotal, isUnpaidChange }: ReceiverDay,
): ApprovalReason[] {
  const reasons: ApprovalReason[] = [];
  const check = (rule: ApprovalReason["rule"], sum: bigint, above: bigint | undefined) => {
    if (above !== undefined && sum > above) reasons.push({ rule, above });
  };
  check("payout", amount, approvalAbove);
  check("batch", batchTotal, batchApprovalAbove);
  check("receiver_day", receiverDayTotal, receiverDayApprovalAbove);
  if (isUnpaidChange) reasons.push({ rule: "bank_details", above: undefined });
  return reasons;
}

/** From the wire, checked in its form. */
export function toPayoutRequest(body: Omit<NewPayout, "receiver_account_id">): PayoutRequest {
  const amount = readAmount(body.amount);
  if (amount === undefined) throw new Refusal([problem("PAYO207", "amount")]);
  return {
    receiverId: body.receiver_id.toLowerCase(),
    accountId: body.account_id.toLowerCase(),
    amount,
    currency: body.currency,
    reference: body.reference ?? "",
    note: body.note ?? "",
    allowDuplicate: body.allow_duplicate ?? false,
  };
}
