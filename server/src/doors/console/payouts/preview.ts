// Previews a payout for the review in its form.

import { findBalance } from "../../../money/ledger/index.ts";
import { type PayoutRequest, previewPayout } from "../../../money/payouts/index.ts";
import type { RailDirectory } from "../../../money/rails/index.ts";
import { type Caller, idTimeMs, toNumber, toSum } from "../../../platform/base/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { actorInWords } from "../../review-list/index.ts";
import { namesOfKeys } from "../receivers/detail.ts";
import { findAccountPast, listSimilarPayouts } from "./before-pay-queries.ts";
import type { PayoutPreview } from "./schema.ts";

/** Refused as its creation would be, with all problems, except that the form asks about a duplicate by itself. */
export async function previewForReview(
  parts: { db: Db; rails: RailDirectory },
  caller: Caller,
  request: PayoutRequest,
  nowMs: number,
): Promise<PayoutPreview> {
  const previewed = await previewPayout(parts, caller, { ...request, allowDuplicate: true });
  const { problems, charge, approval, schedule, needsApproval, needsReview } = previewed;
  const [first, ...rest] = problems;
  if (first) throw new Refusal([first, ...rest]);
  const amount = (charge?.fee ?? 0n) + (charge?.sentAmount ?? request.amount);
  return {
    ...(await readBeforePay(parts.db, { ...request, subaccountId: caller.subaccountId, nowMs })),
    balance_after: await balanceAfter(parts.db, caller, { currency: request.currency, amount }),
    fee: toNumber(charge?.fee ?? 0n),
    sent_amount: toNumber(charge?.sentAmount ?? request.amount),
    process_date: schedule?.processDate ?? "",
    expected_arrival: schedule?.expectedArrival ?? "",
    needs_approval: needsApproval,
    needs_review: needsReview,
    approval: approval.map(({ rule, above }) => ({
      rule,
      above: above === undefined ? null : Number(above),
    })),
  };
}

const dayMs = 24 * 3_600_000;
const similarMs = 30 * dayMs;
/** Of each account, the newest payouts are compared. */
const scanned = 500;
const similarShown = 5;

type Asked = PayoutRequest & { subaccountId: string; nowMs: number };

/** Payouts like this one, and the account's past: what tells a second payment from a first. */
async function readBeforePay(
  db: Db,
  { nowMs, ...asked }: Asked,
): Promise<Pick<PayoutPreview, "similar" | "account">> {
  const { subaccountId, accountId, amount, currency, reference } = asked;
  const within = { sinceMs: nowMs - similarMs, scanned, limit: similarShown };
  const rows = await listSimilarPayouts(db, asked, within);
  const past = await findAccountPast(db, subaccountId, accountId);
  const names = { keys: await namesOfKeys(db, subaccountId), showsUsers: true };
  return {
    similar: rows.map((row) => ({
      id: row.id,
      why:
        row.reference === reference
          ? "reference"
          : BigInt(row.amount) === amount && row.currency === currency
            ? "amount"
            : "near_reference",
      amount: toNumber(BigInt(row.amount)),
      currency: row.currency,
      reference: row.reference,
      stage: row.stage,
      receiver_name: row.receiver_name,
      created_at: Number(row.created_at_ms),
    })),
    account: {
      added_at: Number(past?.added_at_ms ?? 0),
      added_by: actorInWords(past?.added_by ?? "", names),
      changed_at: past && past.version > 1 ? Number(past.changed_at_ms) : null,
      changed_by: actorInWords(past?.changed_by ?? "", names),
      last_paid_at: past?.last_paid_id ? idTimeMs(past.last_paid_id) : null,
    },
  };
}

async function balanceAfter(
  db: Db,
  { subaccountId }: Caller,
  { currency, amount }: { currency: string; amount: bigint },
) {
  const { available } = await findBalance(db, { subaccountId, currency });
  return toSum(BigInt(available) - amount);
}
