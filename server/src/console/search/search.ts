// Finds what a user types: any id, an email address, a reference, the end of an account number, a name.

import { maskedNumber } from "../../accounts/account.ts";
import { newestId } from "../../cursor.ts";
import type { Runner } from "../../db/connect.ts";
import { eventName, readEventId } from "../../events/event.ts";
import { limits } from "../../limits.ts";
import { formatGrouped } from "../../money.ts";
import { emailKey } from "../../receivers/receiver.ts";
import { listIdsBefore, type Seen } from "../../subaccounts/find-queries.ts";
import { namesOf } from "../receivers/filter.ts";
import { receiverNameOf } from "../receivers/present.ts";
import { findPage } from "../subaccounts/find.ts";
import {
  type AccountHit,
  type BatchHit,
  type EventHit,
  type PayoutHit,
  type ReceiverHit,
  type RequestHit,
  searchAccount,
  searchBatch,
  searchEvent,
  searchName,
  searchPayout,
  searchPayoutReference,
  searchReceiver,
  searchRequest,
  searchTail,
  type Within,
} from "./queries.ts";
import type { Hit } from "./schema.ts";

export async function search(db: Runner, subaccountId: string, text: string): Promise<Hit[]> {
  const within = [subaccountId];
  const byId = await searchId(db, within, text);
  if (byId.length > 0) return byId;
  if (text.includes("@")) {
    return (await searchReceiver(db, within, "email", emailKey(text))).map(receiverHit);
  }
  const [payouts, receivers, accounts, named] = await Promise.all([
    searchPayoutReference(db, within, text),
    searchReceiver(db, within, "reference", text),
    isTail(text) ? searchTail(db, within, text.toUpperCase()) : [],
    searchName(db, subaccountId, namesOf(text)),
  ]);
  const known = new Set(receivers.map(({ id }) => id));
  return [
    ...payouts.map(payoutHit),
    ...accounts.map(accountHit),
    ...receivers.map(receiverHit),
    ...named.filter(({ id }) => !known.has(id)).map(receiverHit),
  ].slice(0, limits.searchHitsMax);
}

/** Finds an id in any subaccount that the user sees, the newest ones first. A miss reads the indexes of all of them. */
export async function searchIdInAll(db: Runner, seen: Seen, text: string): Promise<Hit[]> {
  if (readEventId(text) === undefined) return [];
  const most = limits.searchSubaccountsAtOnce;
  for (let beforeId = newestId; ; ) {
    const ids = await listIdsBefore(db, seen, { beforeId, limit: most });
    const found = await searchId(db, ids, text);
    const last = ids.at(-1);
    if (found.length > 0 || last === undefined || ids.length < most) return found;
    beforeId = last;
  }
}

/** Subaccounts by a prefix of their name or id. */
export async function searchSubaccounts(db: Runner, seen: Seen, text: string): Promise<Hit[]> {
  const page = { text, cursor: undefined, limit: limits.searchHitsOfKindMax };
  const { rows } = await findPage(db, seen, page);
  return rows.map(({ id, name, mode, is_closed }) => ({
    kind: "subaccount",
    id,
    subaccount_id: id,
    title: name,
    receiver_id: null,
    detail: [mode, is_closed && "closed", id].filter(Boolean).join(" · "),
  }));
}

/** Any object with this id, in these subaccounts. */
async function searchId(db: Runner, within: Within, text: string): Promise<Hit[]> {
  const id = readEventId(text);
  if (id === undefined) return [];
  const [payouts, batches, receivers, accounts, events, requests] = await Promise.all([
    searchPayout(db, within, id),
    searchBatch(db, within, id),
    searchReceiver(db, within, "id", id),
    searchAccount(db, within, id),
    searchEvent(db, within, id),
    searchRequest(db, within, id),
  ]);
  return [
    ...payouts.map(payoutHit),
    ...batches.map((batch) => batchHit(batch, id)),
    ...receivers.map(receiverHit),
    ...accounts.map(accountHit),
    ...events.map(eventHit),
    ...requests.map(requestHit),
  ];
}

/** Account numbers show their last four characters; short ones show two. */
function isTail(text: string): boolean {
  return /^([0-9A-Za-z]{4}|[0-9A-Za-z]{2})$/.test(text);
}

function payoutHit(row: PayoutHit): Hit {
  const { id, subaccount_id, amount, currency, status, reference } = row;
  const detail = [status, reference].filter(Boolean).join(" · ");
  const title = `${formatGrouped(BigInt(amount), currency)} to ${receiverNameOf(row)}`;
  return { kind: "payout", id, subaccount_id, title, detail, receiver_id: null };
}

function batchHit({ subaccount_id, count }: BatchHit, id: string): Hit {
  const more = count === limits.consoleCountedMax ? "+" : "";
  const title = `Batch of ${count}${more} ${count === 1 ? "payout" : "payouts"}`;
  return { kind: "batch", id, subaccount_id, title, detail: "", receiver_id: null };
}

function receiverHit(row: ReceiverHit): Hit {
  const { id, subaccount_id, email, kyc_status } = row;
  const detail = `${email} · KYC ${kyc_status}`;
  return {
    kind: "receiver",
    id,
    subaccount_id,
    title: receiverNameOf(row),
    detail,
    receiver_id: id,
  };
}

function accountHit(row: AccountHit): Hit {
  const { id, subaccount_id, receiver_id, bank_name, country } = row;
  const title = `${maskedNumber(row.account_number_tail)} of ${receiverNameOf(row)}`;
  const detail = [bank_name, country].filter(Boolean).join(" · ");
  return { kind: "account", id, subaccount_id, title, detail, receiver_id };
}

function eventHit({ id, subaccount_id, type, created_at_ms }: EventHit): Hit {
  const detail = new Date(Number(created_at_ms)).toISOString();
  const name = eventName(id);
  return { kind: "event", id: name, subaccount_id, title: type, detail, receiver_id: null };
}

function requestHit({ id, subaccount_id, method, route, status }: RequestHit): Hit {
  const title = `${method} ${route}`.trimEnd();
  return { kind: "request", id, subaccount_id, title, detail: String(status), receiver_id: null };
}
