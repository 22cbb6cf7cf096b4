// What waits for a second person, payouts and changes of bank details in one queue, the oldest first.

import { maskedNumber } from "../../accounts/account.ts";
import {
  type BankChange,
  countWaitingBankChanges,
  listWaitingBankChanges,
} from "../../accounts/bank-change-queries.ts";
import type { Db } from "../../db/connect.ts";
import { limits } from "../../limits.ts";
import { toNumber } from "../../money.ts";
import {
  countWaitingPayouts,
  listWaitingPayouts,
  type WaitingPayout,
} from "../../payouts/approval-queries.ts";
import type { Seal } from "../../seal.ts";
import { listSubaccounts } from "../../subaccounts/queries.ts";
import type { Mode } from "../../subaccounts/subaccount.ts";
import type { Approval, ApprovalCount, ApprovalPage } from "./schema.ts";

type Parts = { db: Db; seal: Seal };

export type QueuePage = {
  kind: Approval["kind"] | undefined;
  subaccountId: string | undefined;
  /** Ids of both kinds grow with time, so one cursor serves both. */
  afterId: string;
  limit: number;
  /** Who looks at it. */
  who: string;
};

export async function listApprovals({ db, seal }: Parts, page: QueuePage): Promise<ApprovalPage> {
  const { kind, who, limit } = page;
  const asked = { afterId: page.afterId, subaccountId: page.subaccountId, limit: limit + 1 };
  const payouts = kind === "bank_change" ? [] : await listWaitingPayouts(db, asked);
  const changes = kind === "payout" ? [] : await listWaitingBankChanges({ db, seal }, asked);
  const names = new Map(
    (await listSubaccounts(db)).map((one) => [one.subaccount_id, one] as const),
  );
  const found = [...payouts.map(ofPayout), ...changes.map(ofChange)]
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .map((line): Approval => {
      const { name = "", mode = "live" as Mode } = names.get(line.subaccount_id) ?? {};
      return { ...line, subaccount_name: name, mode, is_own: line.made_by === who };
    });
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? (rows.at(-1)?.id ?? null) : null };
}

export async function countApprovals(
  db: Db,
  subaccountId: string | undefined,
): Promise<ApprovalCount> {
  const most = limits.approvalsCountedMax;
  const asked = { subaccountId, most: most + 1 };
  const waiting =
    (await countWaitingPayouts(db, asked)) + (await countWaitingBankChanges(db, asked));
  return { count: Math.min(waiting, most), is_capped: waiting > most };
}

type Line = Omit<Approval, "subaccount_name" | "mode" | "is_own">;

function ofPayout(row: WaitingPayout): Line {
  return {
    ...{ kind: "payout", id: row.id, subaccount_id: row.subaccount_id },
    ...{ made_by: row.created_by, made_at: Number(row.created_at_ms) },
    ...{ receiver_id: row.receiver_id, receiver_name: `${row.first_name} ${row.last_name}` },
    ...{ account_id: row.account_id, account_number: maskedNumber(row.account_number_tail) },
    country: row.country,
    payout: {
      amount: toNumber(BigInt(row.amount)),
      ...{ currency: row.currency, reference: row.reference, note: row.note },
      ...{ batch_id: row.batch_id, bank_name: row.bank_name },
    },
    change: null,
  };
}

function ofChange(change: BankChange): Line {
  const { id, subaccountId, receiverId, receiverName, accountId, accountVersion } = change;
  return {
    ...{ kind: "bank_change", id, subaccount_id: subaccountId },
    ...{ made_by: change.madeBy, made_at: change.madeAtMs },
    ...{ receiver_id: receiverId, receiver_name: receiverName },
    ...{ account_id: accountId, account_number: maskedNumber(change.tail) },
    country: change.country,
    payout: null,
    change: {
      is_new: accountVersion === null,
      changes: change.proposal?.changes ?? [],
      is_unreadable: change.proposal === undefined,
    },
  };
}
