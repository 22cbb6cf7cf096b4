// The rules of payouts: when one is refused, and when it needs approval. Pure.

import type { PayeeNameOutcome } from "../../people/payee-checks/index.ts";
import { decimals, type Mode, readAmount } from "../../platform/base/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { type Metadata, someMetadata } from "../../platform/metadata/index.ts";
import { problem, Refusal } from "../../platform/refusals/index.ts";
import type { Charge, Rail, RailReject } from "../rails/index.ts";
import type { NewPayout } from "./schema.ts";

/** A payout that a caller requests, after the check of its form. */
export type PayoutRequest = {
  receiverId: string;
  accountId: string;
  amount: bigint;
  currency: string;
  reference: string;
  note: string;
  allowDuplicate: boolean;
  /** YYYY-MM-DD: not sent before. Empty: with the next bank batch. */
  sendOn: string;
  /** What the receiver sees on the statement. Empty: the reference. */
  statementReference: string;
  /** ISO 20022 external purpose code; may be empty. */
  purpose: string;
  /** Undefined: none. */
  metadata?: Metadata;
};

export type LastPayout = { id: string; amount: bigint };

export type PayeeFacts = {
  isFirstPayout: boolean;
  otherReceivers: number;
  /** The receiver's last payouts that were let through, by their ids, newest first; ten at most. */
  last: LastPayout[];
  /** Of the current bank details. A check that has not ended says nothing yet. */
  payeeName: PayeeNameOutcome;
};

/** The receiver and the account that a payout names, as the database has them; undefined where it has none. */
export type PayoutContext = {
  receiver:
    | {
        status: string;
        kycStatus: string;
        country: string;
        /** A screening hit is open or was confirmed. */
        hasScreeningReview: boolean;
        hasIdentityReview: boolean;
      }
    | undefined;
  account:
    | {
        receiverId: string;
        status: string;
        accepted: boolean;
        country: string;
        version: number;
        /** What it is known by, whichever receiver has it: a keyed hash of its number. */
        destination: string;
        /** In live mode: the bank details were changed, or a user added them, and nothing has been paid to them yet. */
        isUnpaid: boolean;
        /** When the bank details were changed to what they are. Undefined: they never were. */
        detailsChangedAtMs: number | undefined;
      }
    | undefined;
  /** A payout with the same account, amount, currency and reference within 24 hours. */
  duplicateOfId: string | undefined;
  /** Read where rules in force need it. */
  payee?: PayeeFacts | undefined;
};

/** A sum above its threshold needs approval by a second user. Undefined: it needs none. */
export type Thresholds = {
  /** One payout. */
  approvalAbove: bigint | undefined;
  /** All payouts of one batch. */
  batchApprovalAbove: bigint | undefined;
  /** All payouts to one receiver on one day. */
  receiverDayApprovalAbove: bigint | undefined;
  /** All payouts to one destination account on one day, over all receivers. */
  accountDayApprovalAbove: bigint | undefined;
};

/** The balance that payouts are decided on. It shrinks as payouts of one batch are accepted. */
export type BalanceState = Thresholds & {
  available: bigint;
  perPayoutMax: bigint | undefined;
  perDayMax: bigint | undefined;
  /** No limits are set, so the defaults hold. */
  isUnset: boolean;
  day: string;
  dayTotal: bigint;
  /** Of the ledger. */
  transfers: number;
  /** The subaccount is told when it falls below. */
  level?: bigint | undefined;
};

/** The balance of a subaccount that never had money in the currency. */
export const noBalance: BalanceState = {
  available: 0n,
  perPayoutMax: undefined,
  perDayMax: undefined,
  approvalAbove: undefined,
  batchApprovalAbove: undefined,
  receiverDayApprovalAbove: undefined,
  accountDayApprovalAbove: undefined,
  isUnset: true,
  day: "",
  dayTotal: 0n,
  transfers: 0,
};

export type PayoutRefusal =
  | "receiver-unknown"
  | "receiver-not-payable"
  | "account-unknown"
  | "account-not-accepted"
  | "no-bank"
  | "currency-unfit"
  | "over-bank-limit"
  | "not-above-fee"
  | "send-on-unfit"
  | "over-payout-limit"
  | "over-day-limit"
  | "duplicate"
  | "no-funds"
  | "refused-by-rule";

/** Why no rail can pay it. */
export type RailRefusal = Extract<PayoutRefusal, "no-bank" | "not-above-fee" | RailReject>;

/** The rail for it and what that costs, and why it can't pay it. */
export type PayoutRoute =
  | { refused: undefined; rail: Rail; charge: Charge }
  | { refused: RailRefusal; rail?: Rail; charge?: Charge };
/** A rail that can pay it. */
export type OpenRoute = Extract<PayoutRoute, { refused: undefined }>;

/** What a payout is decided on. */
export type DecisionFacts = {
  request: PayoutRequest;
  context: PayoutContext;
  balance: BalanceState;
  /** Undefined where the account is unknown. */
  route: PayoutRoute | undefined;
  day: string;
  nowMs: number;
  /** Known only of a payout that nothing else refuses. */
  isRefusedByRule?: boolean;
};

/** The day that limits count by: UTC, for all subaccounts. */
export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** Clocks of processes differ: a day that has begun for one of them has begun for all. */
export function laterDay(balance: Pick<BalanceState, "day">, day: string): string {
  return balance.day > day ? balance.day : day;
}

export function spentOnDay(balance: Pick<BalanceState, "day" | "dayTotal">, day: string): bigint {
  return balance.day >= day ? balance.dayTotal : 0n;
}

type Rule = readonly [PayoutRefusal, (facts: DecisionFacts) => boolean];

const isOfReceiver = ({ request, context: { account } }: DecisionFacts) =>
  account?.receiverId === request.receiverId;
const isRefusedByRail = (refusal: RailRefusal): Rule => [
  refusal,
  ({ route }) => route?.refused === refusal,
];

/** Every rule that refuses a payout, in the documented order. */
const rules: readonly Rule[] = [
  ["receiver-unknown", ({ context: { receiver } }) => receiver === undefined],
  [
    "receiver-not-payable",
    ({ context: { receiver } }) =>
      receiver !== undefined &&
      (receiver.status !== "active" || receiver.kycStatus !== "completed"),
  ],
  [
    "account-unknown",
    // An unknown receiver says nothing about an account that exists.
    (facts) =>
      facts.context.receiver ? !isOfReceiver(facts) : facts.context.account === undefined,
  ],
  [
    "account-not-accepted",
    (facts) => {
      const { account } = facts.context;
      return isOfReceiver(facts) && (account?.status !== "active" || !account.accepted);
    },
  ],
  isRefusedByRail("no-bank"),
  isRefusedByRail("currency-unfit"),
  isRefusedByRail("over-bank-limit"),
  isRefusedByRail("not-above-fee"),
  [
    "send-on-unfit",
    ({ request: { sendOn }, nowMs }) => sendOn !== "" && !isSendOnFit(sendOn, nowMs),
  ],
  [
    "over-payout-limit",
    ({ request, balance: { perPayoutMax } }) =>
      perPayoutMax !== undefined && request.amount > perPayoutMax,
  ],
  [
    "over-day-limit",
    ({ request, balance, day }) =>
      balance.perDayMax !== undefined &&
      spentOnDay(balance, day) + request.amount > balance.perDayMax,
  ],
  [
    "duplicate",
    ({ request, context }) => context.duplicateOfId !== undefined && !request.allowDuplicate,
  ],
  ["no-funds", (facts) => takenFrom(facts) > facts.balance.available],
  ["refused-by-rule", ({ isRefusedByRule }) => isRefusedByRule === true],
];

/** The first rule that refuses the payout; undefined: none does. */
export function refusalOf(facts: DecisionFacts): PayoutRefusal | undefined {
  return rules.find(([, applies]) => applies(facts))?.[0];
}

/** Every rule that refuses the payout, the first one first. */
export function refusalsOf(facts: DecisionFacts): PayoutRefusal[] {
  return rules.filter(([, applies]) => applies(facts)).map(([refusal]) => refusal);
}

/** What the payout takes from the balance: the amount, and a fee on top of it. */
function takenFrom({ request, route }: Pick<DecisionFacts, "request" | "route">): bigint {
  const charge = route?.charge;
  return charge ? charge.fee + charge.sentAmount : request.amount;
}

const dayMs = 86_400_000;

/** A day that has not passed anywhere, and is not more than a year away. */
function isSendOnFit(sendOn: string, nowMs: number): boolean {
  const startMs = Date.parse(sendOn);
  return startMs + 2 * dayMs > nowMs && startMs < nowMs + limits.sendOnMaxMs;
}

/** A live subaccount has these until others are set; a test subaccount has none. */
export function defaultThresholds(mode: Mode, currency: string): Thresholds {
  const amount =
    mode === "live"
      ? BigInt(limits.liveThresholdUnits) * 10n ** BigInt(decimals(currency))
      : undefined;
  return {
    approvalAbove: amount,
    batchApprovalAbove: amount,
    receiverDayApprovalAbove: amount,
    accountDayApprovalAbove: amount,
  };
}

export function thresholdsOf(state: BalanceState, mode: Mode, currency: string): Thresholds {
  return state.isUnset && mode === "live" ? defaultThresholds(mode, currency) : state;
}

/** Whether a total of the day is needed. */
export function countsDays({
  receiverDayApprovalAbove,
  accountDayApprovalAbove,
}: Thresholds): boolean {
  return receiverDayApprovalAbove !== undefined || accountDayApprovalAbove !== undefined;
}

/** The totals that a payout counts towards, in its currency. They include the payout. */
type ApprovalFacts = {
  batchTotal: bigint | undefined;
  /** Undefined: no threshold needs them. */
  dayTotals: { receiverDay: bigint; accountDay: bigint } | undefined;
  account: Pick<NonNullable<PayoutContext["account"]>, "isUnpaid" | "version"> | undefined;
};

/** The rules by which a payout needs approval, in the order in which they are shown. */
export const approvalRules = [
  "payout",
  "batch",
  "receiver_day",
  "account_day",
  "bank_details",
  "new_account",
] as const;
/** `above` is the threshold that was passed; new bank details have none. */
export type ApprovalReason = { rule: (typeof approvalRules)[number]; above: bigint | undefined };

/** Why a payout needs approval. Empty: it needs none. */
export function approvalReasons(
  { amount }: PayoutRequest,
  thresholds: Thresholds,
  { batchTotal = 0n, dayTotals, account }: ApprovalFacts,
): ApprovalReason[] {
  const reasons: ApprovalReason[] = [];
  const check = (rule: ApprovalReason["rule"], sum: bigint, above: bigint | undefined) => {
    if (above !== undefined && sum > above) reasons.push({ rule, above });
  };
  check("payout", amount, thresholds.approvalAbove);
  check("batch", batchTotal, thresholds.batchApprovalAbove);
  check("receiver_day", dayTotals?.receiverDay ?? 0n, thresholds.receiverDayApprovalAbove);
  check("account_day", dayTotals?.accountDay ?? 0n, thresholds.accountDayApprovalAbove);
  if (account?.isUnpaid) {
    reasons.push({ rule: account.version > 1 ? "bank_details" : "new_account", above: undefined });
  }
  return reasons;
}

/** From a body that was checked by its schema. */
export function toPayoutRequest(body: Omit<NewPayout, "receiver_account_id">): PayoutRequest {
  const amount = readAmount(body.amount);
  const metadata = someMetadata(body.metadata);
  if (amount === undefined) throw new Refusal([problem("PAYO207", "amount")]);
  return {
    receiverId: body.receiver_id.toLowerCase(),
    accountId: body.account_id.toLowerCase(),
    amount,
    currency: body.currency,
    reference: body.reference ?? "",
    note: body.note ?? "",
    allowDuplicate: body.allow_duplicate ?? false,
    sendOn: body.send_on ?? "",
    statementReference: body.statement_reference ?? "",
    purpose: body.purpose ?? "",
    ...(metadata && { metadata }),
  };
}
