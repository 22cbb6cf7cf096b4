// The approval queue, oldest first or as a user sorts it: payouts, changes of bank details, keys, limits, erasures, and
// what waits at a bank.

import {
  type BankRequestRow,
  countWaitingBankRequests,
  listWaitingBankRequests,
  permissionOfBankRequest,
} from "../../../banking/requests/index.ts";
import {
  countWaitingPayouts,
  listWaitingPayouts,
  makersOf,
  makersOfRequest,
  permissionOf,
  sortWaitingPayouts,
  type WaitingPayout,
} from "../../../money/payouts/index.ts";
import {
  type BankChange,
  countWaitingBankChanges,
  listWaitingBankChanges,
  makersOfChange,
} from "../../../people/accounts/index.ts";
import { maskedNumber } from "../../../people/person/index.ts";
import {
  idAfter,
  isUuid,
  type Mode,
  newestId,
  oldestId,
  readSortedCursor,
  toNumber,
} from "../../../platform/base/index.ts";
import { cutPage, type Db } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import {
  changeRequestKinds,
  conflictsOf,
  countWaitingRequests,
  listWaitingRequests,
  type WaitingRequest,
} from "../../../tenants/four-eyes/index.ts";
import type { Permission, User } from "../../../tenants/roles/index.ts";
import { findSubaccounts } from "../../../tenants/subaccounts/index.ts";
import { consoleListLimits, cutSortedPage } from "../../lists/index.ts";
import { presentBankRequest, subaccountsIn } from "../bank-requests/present.ts";
import { ruleInWords } from "../payouts/rule-entries.ts";
import { whyNotApprove } from "../why-not.ts";
import type { Approval, ApprovalCount, ApprovalPage } from "./schema.ts";

type Parts = { db: Db; seal: Seal };

type QueuePage = {
  kind: Approval["kind"] | undefined;
  subaccountId: string | undefined;
  /** `created`, or `amount`, which lists only payouts; with a minus in descending order. */
  sort: string | undefined;
  /** Ids of all kinds grow with time, so one cursor serves all. */
  cursor: string | undefined;
  limit: number;
  /** How many of the newest payouts are sorted by amount. */
  sortedMax?: number;
  /** The user who reads the queue, their permissions, and the current time. */
  who: string;
  user: User;
  nowMs: number;
};

export async function listApprovals({ db, seal }: Parts, page: QueuePage): Promise<ApprovalPage> {
  const { who, sort } = page;
  const listed = sort?.endsWith("amount")
    ? await sortByAmount(db, page)
    : await listByTime({ db, seal }, page);
  const { rows: shown, next, sorted_among } = listed;
  const named = shown.flatMap(({ line, bank }) =>
    bank ? subaccountsIn(bank) : [line.subaccount_id],
  );
  const shownIds = [...new Set(named)];
  const names = new Map((await findSubaccounts(db, shownIds)).map((one) => [one.id, one] as const));
  const made = shown.map(({ makers }) => makers);
  const conflicts = await conflictsOf(db, made, { who });
  const nameOf = (id: string) => names.get(id)?.name ?? "";
  const rows = shown.map(({ line, permission, bank }, index): Approval => {
    const { name = "", mode = "live" as Mode } = names.get(line.subaccount_id) ?? {};
    const why_not = whyNotApprove(page.user, permission, conflicts[index]);
    return {
      ...line,
      subaccount_name: bank?.connection_name ?? name,
      mode,
      is_own: line.made_by === who,
      why_not,
      bank: bank ? presentBankRequest(bank, { seal, nameOf }) : null,
    };
  });
  return { rows, next, sorted_among };
}

type Listed = { rows: Found[]; next: string | null; sorted_among: number | null };

async function listByTime(
  { db, seal }: Parts,
  { kind, sort, cursor, subaccountId, limit }: QueuePage,
): Promise<Listed> {
  const isNewestFirst = sort === "-created";
  const start = isNewestFirst ? newestId : oldestId;
  const afterId = cursor !== undefined && isUuid(cursor) ? cursor : start;
  const asked = { afterId, isNewestFirst, subaccountId, limit: limit + 1 };
  const wants = (one: Approval["kind"]) => kind === undefined || kind === one;
  const payouts = wants("payout") ? await listWaitingPayouts(db, asked) : [];
  const changes = wants("bank_change") ? await listWaitingBankChanges({ db, seal }, asked) : [];
  const requestKind = changeRequestKinds.find((one) => one === kind);
  const isRequest = kind === undefined || requestKind !== undefined;
  const requests = isRequest ? await listWaitingRequests(db, { ...asked, kind: requestKind }) : [];
  // They belong to a bank connection, and to no subaccount.
  const isAtBank = wants("bank_request") && subaccountId === undefined;
  const atBank = isAtBank ? await listWaitingBankRequests(db, asked) : [];
  const found = [
    ...payouts.map(ofPayout),
    ...changes.map(ofChange),
    ...requests.map(ofRequest),
    ...atBank.map(ofBankRequest),
  ].sort(({ line: { id } }, { line: other }) => (id < other.id !== isNewestFirst ? -1 : 1));
  const page = await cutPage(found, limit, ({ line }) => line.id);
  return { ...page, sorted_among: null };
}

async function sortByAmount(
  db: Db,
  { kind, sort, cursor, subaccountId, limit, sortedMax }: QueuePage,
): Promise<Listed> {
  if (kind !== undefined && kind !== "payout") return { rows: [], next: null, sorted_among: null };
  const after = cursor ? readSortedCursor(cursor) : undefined;
  const scannedMax = sortedMax ?? consoleListLimits.payoutsSortedMax;
  const found = await sortWaitingPayouts(db, {
    subaccountId,
    isDescending: sort === "-amount",
    beforeId: after ? idAfter(after.topId) : newestId,
    scannedMax,
    after,
    limit: limit + 1,
  });
  const keyOf = ({ amount }: WaitingPayout) => BigInt(amount);
  const page = await cutSortedPage(found, { size: limit, scannedMax }, keyOf);
  return { ...page, rows: page.rows.map(ofPayout) };
}

export async function countApprovals(
  db: Db,
  subaccountId: string | undefined,
): Promise<ApprovalCount> {
  const most = limits.approvalsCountedMax;
  const asked = { subaccountId, most: most + 1 };
  const waiting =
    (await countWaitingPayouts(db, asked)) +
    (await countWaitingBankChanges(db, asked)) +
    (await countWaitingRequests(db, asked)) +
    (subaccountId === undefined ? (await countWaitingBankRequests(db, most + 1)).count : 0);
  return { count: Math.min(waiting, most), is_capped: waiting > most };
}

type Line = Omit<Approval, "subaccount_name" | "mode" | "is_own" | "why_not" | "bank">;
/** Adds the creator, and whether this user may approve it. */
type Found = { line: Line; makers: string[]; permission: Permission; bank?: BankRequestRow };

function ofPayout(row: WaitingPayout): Found {
  const line: Line = {
    kind: "payout",
    id: row.id,
    subaccount_id: row.subaccount_id,
    made_by: row.created_by,
    made_at: Number(row.created_at_ms),
    receiver_id: row.receiver_id,
    receiver_name: `${row.first_name} ${row.last_name}`,
    account_id: row.account_id,
    account_number: maskedNumber(row.account_number_tail),
    country: row.country,
    payout: {
      amount: toNumber(BigInt(row.amount)),
      currency: row.currency,
      reference: row.reference,
      note: row.note,
      batch_id: row.batch_id,
      bank_name: row.bank_name,
      reasons: row.reasons,
      rules: row.rules.map((rule) => ruleInWords(rule, row.currency)),
      approved_by: row.approved_by,
    },
    change: null,
    request: null,
  };
  return { line, makers: makersOf(row), permission: "payouts.approve" };
}

function ofChange(change: BankChange): Found {
  const { id, subaccountId, receiverId, receiverName, accountId, accountVersion } = change;
  const line: Line = {
    kind: "bank_change",
    id,
    subaccount_id: subaccountId,
    made_by: change.madeBy,
    made_at: change.madeAtMs,
    receiver_id: receiverId,
    receiver_name: receiverName,
    account_id: accountId,
    account_number: maskedNumber(change.tail),
    country: change.country,
    payout: null,
    request: null,
    change: {
      is_new: accountVersion === null,
      changes: change.proposal?.changes ?? [],
      is_unreadable: change.proposal === undefined,
    },
  };
  return { line, makers: makersOfChange(change), permission: "accounts.approve" };
}

function ofRequest(request: WaitingRequest): Found {
  const { kind, id, subaccount_id, made_by, before, after } = request;
  const text = (value: unknown) =>
    Array.isArray(value) ? value.join(", ") : value == null ? "" : String(value);
  const fields = Object.keys(after).filter((field) => text(before[field]) !== text(after[field]));
  const line: Line = {
    kind,
    id,
    subaccount_id,
    made_by,
    made_at: Number(request.made_at_ms),
    receiver_id: kind === "erasure" ? request.object_id : "",
    receiver_name: request.receiver_name,
    account_id: null,
    account_number: "",
    country: request.country,
    payout: null,
    change: null,
    request: {
      object: {
        key: text(after.name),
        rotation: text(after.name),
        limits: request.object_id,
        erasure: "",
      }[kind],
      changes: fields.map((field) => ({
        field,
        before: text(before[field]),
        after: text(after[field]),
      })),
    },
  };
  return { line, makers: makersOfRequest(request), permission: permissionOf[kind] };
}

function ofBankRequest(bank: BankRequestRow): Found {
  const { id, kind, made_by, made_at_ms } = bank;
  const line: Line = {
    kind: "bank_request",
    id,
    subaccount_id: "",
    made_by,
    made_at: Number(made_at_ms),
    receiver_id: "",
    receiver_name: "",
    account_id: null,
    account_number: "",
    country: "",
    payout: null,
    change: null,
    request: null,
  };
  return { line, makers: [made_by], permission: permissionOfBankRequest[kind], bank };
}
