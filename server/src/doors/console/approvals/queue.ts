// The approval queue: everything that waits for a second user. Bank files come first, by cut-off; the others oldest first, or
// as a user sorts them.

import {
  countWaitingBankRequests,
  listWaitingBankRequests,
} from "../../../banking/requests/index.ts";
import {
  countWaitingBatches,
  importLimits,
  listWaitingBatches,
} from "../../../money/imports/index.ts";
import {
  countWaitingPayouts,
  listResolutions,
  listWaitingPayouts,
  sortWaitingPayouts,
  type WaitingPayout,
} from "../../../money/payouts/index.ts";
import { countWaitingBankChanges, listWaitingBankChanges } from "../../../people/accounts/index.ts";
import {
  idAfter,
  isUuid,
  newestId,
  oldestId,
  readSortedCursor,
} from "../../../platform/base/index.ts";
import { cutPage, type Db } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import {
  changeRequestKinds,
  conflictsOf,
  countWaitingRequests,
  listWaitingRequests,
} from "../../../tenants/four-eyes/index.ts";
import type { User } from "../../../tenants/roles/index.ts";
import { findSubaccounts } from "../../../tenants/subaccounts/index.ts";
import { consoleListLimits, cutSortedPage } from "../../lists/index.ts";
import { presentBankRequest, subaccountsIn } from "../bank-requests/present.ts";
import { whyNotApprove } from "../why-not.ts";
import { listOfCompany } from "./company.ts";
import {
  type Found,
  ofBatch,
  ofChange,
  ofPayout,
  ofRequest,
  ofRequestAtBank,
  ofResolution,
} from "./lines.ts";
import type { Approval, ApprovalCount, ApprovalPage } from "./schema.ts";

type Parts = { db: Db; seal: Seal };

type QueuePage = {
  kind: Approval["kind"] | undefined;
  subaccountId: string | undefined;
  /** `due`; `created`, or `amount`, which lists only payouts; these two with a minus in descending order. */
  sort: string | undefined;
  /** Ids of all kinds grow with time, so one cursor serves all. */
  cursor: string | undefined;
  limit: number;
  /** How many of the newest payouts are sorted by amount. */
  sortedMax?: number;
  /** The user who reads the queue, and their permissions. */
  who: string;
  user: User;
};

export async function listApprovals({ db, seal }: Parts, page: QueuePage): Promise<ApprovalPage> {
  const { who, sort } = page;
  const listed = sort?.endsWith("amount")
    ? await sortByAmount(db, page)
    : await listByTime({ db, seal }, page);
  const { rows: shown, next, sorted_among } = listed;
  const named = shown.flatMap(({ line, bank }) =>
    bank ? subaccountsIn(bank) : [line.subaccount_id].filter(Boolean),
  );
  const shownIds = [...new Set(named)];
  const names = new Map((await findSubaccounts(db, shownIds)).map((one) => [one.id, one] as const));
  const made = shown.map(({ makers }) => makers);
  const conflicts = await conflictsOf(db, made, {
    who,
    in: shown.map(({ line }) => line.subaccount_id),
  });
  const nameOf = (id: string) => names.get(id)?.name ?? "";
  const rows = shown.map(({ line, permission, company, bank }, index): Approval => {
    const { name, mode } = company ?? names.get(line.subaccount_id) ?? { name: "", mode: "live" };
    const why_not = whyNotApprove(page.user, permission, conflicts[index]);
    return {
      ...line,
      subaccount_name: name,
      mode,
      is_own: line.made_by === who,
      why_not,
      bank: bank ? presentBankRequest(bank, { seal, nameOf }) : null,
    };
  });
  return { rows, next, sorted_among };
}

type Listed = { rows: Found[]; next: string | null; sorted_among: number | null };

async function listByTime({ db, seal }: Parts, page: QueuePage): Promise<Listed> {
  const { kind, sort, cursor, subaccountId, limit, user } = page;
  const isNewestFirst = sort === "-created";
  const start = isNewestFirst ? newestId : oldestId;
  const afterId = cursor !== undefined && isUuid(cursor) ? cursor : start;
  const asked = { afterId, isNewestFirst, subaccountId, limit: limit + 1 };
  const wants = (one: Approval["kind"]) => kind === undefined || kind === one;
  const payouts = wants("payout") ? await listWaitingPayouts(db, asked) : [];
  const { batchSummedMax: summedMax } = importLimits;
  const batches = wants("batch") ? await listWaitingBatches(db, { ...asked, summedMax }) : [];
  const changes = wants("bank_change") ? await listWaitingBankChanges({ db, seal }, asked) : [];
  const requestKind = changeRequestKinds.find((one) => one === kind);
  const isRequest = kind === undefined || requestKind !== undefined;
  const requests = isRequest ? await listWaitingRequests(db, { ...asked, kind: requestKind }) : [];
  const ofAll = { subaccountId, limit: limits.rowsMax };
  const resolutions = wants("resolution") ? await listResolutions(db, ofAll) : [];
  // They belong to the company, and to no subaccount.
  const isOfCompany = subaccountId === undefined;
  const isAtBank = wants("bank_request") && isOfCompany;
  const atBank = isAtBank ? await listWaitingBankRequests(db, asked) : [];
  const ofCompany = isOfCompany ? await listOfCompany(db, user) : [];
  const company = ofCompany.filter(({ line }) => wants(line.kind));
  // By what is due first: files to a bank stand above the first page.
  const isDue = ({ line }: Found) => sort === "due" && line.kind === "bank_file";
  const due = company.filter(isDue).sort((one, other) => cutoffOf(one) - cutoffOf(other));
  const ofRest = [...resolutions.map(ofResolution), ...company.filter((one) => !isDue(one))];
  const found = [
    ...payouts.map(ofPayout),
    ...batches.map(ofBatch),
    ...changes.map(ofChange),
    ...requests.map(ofRequest),
    ...atBank.map(ofRequestAtBank),
    ...ofRest.filter(({ position }) => (isNewestFirst ? position < afterId : position > afterId)),
  ].sort((one, other) => (one.position < other.position !== isNewestFirst ? -1 : 1));
  const { rows, next } = await cutPage(found, limit, ({ position }) => position);
  return { rows: afterId === start ? [...due, ...rows] : rows, next, sorted_among: null };
}

const cutoffOf = ({ line }: Found) => line.cutoff ?? 0;

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
  { subaccountId, user }: { subaccountId: string | undefined; user: User },
): Promise<ApprovalCount> {
  const most = limits.approvalsCountedMax;
  const asked = { subaccountId, most: most + 1 };
  const ofAll = { subaccountId, limit: limits.rowsMax };
  const isOfCompany = subaccountId === undefined;
  const waiting =
    (await countWaitingPayouts(db, asked)) +
    (await countWaitingBatches(db, asked)) +
    (await countWaitingBankChanges(db, asked)) +
    (await countWaitingRequests(db, asked)) +
    (await listResolutions(db, ofAll)).length +
    (isOfCompany ? (await countWaitingBankRequests(db, most + 1)).count : 0) +
    (isOfCompany ? (await listOfCompany(db, user)).length : 0);
  return { count: Math.min(waiting, most), is_capped: waiting > most };
}
