// Finds what a user types: any id or its start, words of names, emails and references, an amount, a code, the end of an
// account number.

import { maskedNumber } from "../../../people/person/index.ts";
import { emailKey } from "../../../people/receivers/index.ts";
import { canBeOurs, formatGrouped, newestId } from "../../../platform/base/index.ts";
import type { Runner } from "../../../platform/db/index.ts";
import { eventName, readEventId } from "../../../platform/event-catalogue/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { isRefusalCode, refusals } from "../../../platform/refusals/index.ts";
import {
  queryWords,
  type SearchProgress,
  searchMarksOf,
} from "../../../platform/search-words/index.ts";
import { listIdsBefore, type Seen } from "../../../tenants/subaccounts/index.ts";
import { receiverNameOf } from "../../review-list/index.ts";
import { findPage, idsThatBegin } from "../subaccounts/find.ts";
import { readSearchedAmount } from "./amounts.ts";
import { searchPayouts, searchPayoutsOfAmount, searchReceivers } from "./find-by-words.ts";
import {
  type AccountHit,
  type BatchHit,
  type EventHit,
  type IdPrefix,
  type RequestHit,
  searchAccount,
  searchBatch,
  searchEvent,
  searchPayout,
  searchPayoutReference,
  searchReceiver,
  searchReceiverId,
  searchRequest,
  searchTail,
  type Within,
} from "./queries.ts";
import type { Hit } from "./schema.ts";
import { searchLimits } from "./search-limits.ts";
import { listFailedWithCode } from "./word-queries.ts";

export type Wanted = {
  subaccountId: string;
  text: string;
  progress: SearchProgress | undefined;
};

/** Up to five hits of each kind. An id finds its object alone. */
export async function search(db: Runner, wanted: Wanted): Promise<Hit[]> {
  const { subaccountId, text } = wanted;
  const within = [subaccountId];
  const byId = await searchId(db, within, text);
  if (byId.length > 0) return marked(byId, text);
  const limit = searchLimits.hitsOfKindMax;
  const prefix = idsThatBegin(text, idPrefixMin);
  const amount = readSearchedAmount(text);
  // "1,250.00" and "80 AUD" are amounts and nothing else; "2041" may be a part of a reference.
  const isAmount = amount !== undefined && /\D/.test(text.trim());
  const [receivers, references, payouts, ofAmount, failed, accounts, short] = await Promise.all([
    isAmount ? [] : findReceiversBy(db, wanted, limit),
    searchPayoutReference(db, within, text),
    isAmount ? [] : searchPayouts(db, { ...wanted, limit }),
    amount ? searchPayoutsOfAmount(db, wanted, amount) : [],
    isBankCode(text) ? listFailedWithCode(db, subaccountId, text) : [],
    isTail(text) ? searchTail(db, within, text.toUpperCase()) : [],
    prefix ? searchByPrefix(db, within, prefix) : [],
  ]);
  const ofPayouts = [...references, ...payouts, ...ofAmount, ...failed];
  const hits = [
    ...codeHits(text, subaccountId),
    ...receivers,
    ...ofPayouts.map((row) => payoutHit({ ...row, subaccount_id: subaccountId })),
    ...accounts.map(accountHit),
    ...short,
  ];
  return marked(firstOfEachKind(hits, limit), text);
}

/** Receivers as choices of a form or a filter. */
export async function chooseReceivers(db: Runner, wanted: Wanted): Promise<Hit[]> {
  const within = [wanted.subaccountId];
  const prefix = idsThatBegin(wanted.text, idPrefixMin);
  const byId = prefix ? (await searchReceiverId(db, within, prefix)).map(receiverHit) : [];
  const found = await findReceiversBy(db, wanted, searchLimits.choicesMax);
  return marked(firstOfEachKind([...byId, ...found], searchLimits.choicesMax), wanted.text);
}

/** A whole email or reference is found at once, also while old receivers have no words. */
async function findReceiversBy(db: Runner, wanted: Wanted, limit: number): Promise<Hit[]> {
  const { subaccountId, text } = wanted;
  const within = [subaccountId];
  const [exact, worded] = await Promise.all([
    text.includes("@")
      ? searchReceiver(db, within, "email", emailKey(text))
      : searchReceiver(db, within, "reference", text),
    searchReceivers(db, { ...wanted, limit }),
  ]);
  return [...exact, ...worded].map((row) => receiverHit({ ...row, subaccount_id: subaccountId }));
}

/**
 * Finds an id in any subaccount that the user sees, the newest ones first. An id that can't be ours is not searched. Any
 * other unknown id reads the indexes of all subaccounts: there is none of ids alone, which every payout would have to write.
 */
export async function searchIdInAll(db: Runner, seen: Seen, text: string): Promise<Hit[]> {
  const id = readEventId(text);
  if (id === undefined || !canBeOurs(id, Date.now())) return [];
  const most = searchLimits.subaccountsAtOnce;
  for (let beforeId = newestId; ; ) {
    const ids = await listIdsBefore(db, seen, { beforeId, limit: most });
    const found = await searchId(db, ids, text);
    const last = ids.at(-1);
    if (found.length > 0 || last === undefined || ids.length < most) return marked(found, text);
    beforeId = last;
  }
}

/** Subaccounts by words of their name, or by a prefix of their id. */
export async function searchSubaccounts(db: Runner, seen: Seen, text: string): Promise<Hit[]> {
  const page = { text, cursor: undefined, limit: searchLimits.hitsOfKindMax };
  const { rows } = await findPage(db, seen, page);
  const hits = rows.map(({ id, name, mode, is_closed }) =>
    toHit({
      kind: "subaccount",
      id,
      subaccount_id: id,
      title: name,
      detail: [mode, is_closed && "closed", id].filter(Boolean).join(" · "),
    }),
  );
  return marked(hits, text);
}

/** Any object with this id, in these subaccounts. */
async function searchId(db: Runner, within: Within, text: string): Promise<Hit[]> {
  const id = readEventId(text);
  if (id === undefined) return [];
  const [batches, others] = await Promise.all([
    searchBatch(db, within, id),
    searchByPrefix(db, within, { first: id, last: id }),
  ]);
  return [...batches.map((batch) => batchHit(batch, id)), ...others];
}

/** Ids of one minute start alike, so a short prefix can have many. */
const idPrefixMin = 8;

async function searchByPrefix(db: Runner, within: Within, ids: IdPrefix): Promise<Hit[]> {
  const [payouts, receivers, accounts, events, requests] = await Promise.all([
    searchPayout(db, within, ids),
    searchReceiverId(db, within, ids),
    searchAccount(db, within, ids),
    searchEvent(db, within, ids),
    searchRequest(db, within, ids),
  ]);
  return [
    ...receivers.map(receiverHit),
    ...payouts.map(payoutHit),
    ...accounts.map(accountHit),
    ...events.map(eventHit),
    ...requests.map(requestHit),
  ];
}

/** Account numbers show their last four characters; short ones show two. */
function isTail(text: string): boolean {
  return /^([0-9A-Za-z]{4}|[0-9A-Za-z]{2})$/.test(text);
}

/** Codes of banks are short, such as R03, AC04 or account_closed. */
function isBankCode(text: string): boolean {
  return /^(?=.*[\d_])[A-Za-z][A-Za-z0-9_.-]{1,40}$/.test(text);
}

function codeHits(text: string, subaccount_id: string): Hit[] {
  const code = text.toUpperCase();
  if (!isRefusalCode(code)) return [];
  const [status, message, cure] = refusals[code];
  const title = `${code} · ${message}`;
  return [toHit({ kind: "code", id: code, subaccount_id, title, detail: `${status} · ${cure}` })];
}

function firstOfEachKind(hits: readonly Hit[], limit: number): Hit[] {
  const counts = new Map<string, number>();
  const known = new Set<string>();
  return hits.filter(({ kind, id }) => {
    const count = counts.get(kind) ?? 0;
    if (count === limit || known.has(id)) return false;
    known.add(id);
    counts.set(kind, count + 1);
    return true;
  });
}

function marked(hits: readonly Hit[], text: string): Hit[] {
  const words = queryWords(text);
  return hits.map((hit) => ({
    ...hit,
    title_marks: searchMarksOf(hit.title, words),
    detail_marks: searchMarksOf(hit.detail, words),
  }));
}

type BareHit = Omit<Hit, "title_marks" | "detail_marks" | "receiver_id"> & {
  receiver_id?: string;
};

function toHit({ receiver_id, ...hit }: BareHit): Hit {
  return { ...hit, receiver_id: receiver_id ?? null, title_marks: [], detail_marks: [] };
}

type PaidTo = { first_name: string; last_name: string };

function payoutHit(
  row: PaidTo & {
    id: string;
    subaccount_id: string;
    amount: string;
    currency: string;
    status: string;
    reference: string;
    cause_code?: string;
  },
): Hit {
  const { id, subaccount_id, amount, currency, status, reference, cause_code } = row;
  const detail = [status, reference, cause_code].filter(Boolean).join(" · ");
  const title = `${formatGrouped(BigInt(amount), currency)} to ${receiverNameOf(row)}`;
  return toHit({ kind: "payout", id, subaccount_id, title, detail });
}

function batchHit({ subaccount_id, count }: BatchHit, id: string): Hit {
  const more = count === limits.consoleCountedMax ? "+" : "";
  const title = `Batch of ${count}${more} ${count === 1 ? "payout" : "payouts"}`;
  return toHit({ kind: "batch", id, subaccount_id, title, detail: "" });
}

function receiverHit(
  row: PaidTo & {
    id: string;
    subaccount_id: string;
    email: string;
    kyc_status: string;
    reference?: string;
  },
): Hit {
  const { id, subaccount_id, email, reference, kyc_status } = row;
  const detail = [email, reference, `KYC ${kyc_status}`].filter(Boolean).join(" · ");
  const title = receiverNameOf(row);
  return toHit({ kind: "receiver", id, subaccount_id, title, detail, receiver_id: id });
}

function accountHit(row: AccountHit): Hit {
  const { id, subaccount_id, receiver_id, bank_name, country } = row;
  const title = `${maskedNumber(row.account_number_tail)} of ${receiverNameOf(row)}`;
  const detail = [bank_name, country].filter(Boolean).join(" · ");
  return toHit({ kind: "account", id, subaccount_id, title, detail, receiver_id });
}

function eventHit({ id, subaccount_id, type, created_at_ms }: EventHit): Hit {
  const detail = new Date(Number(created_at_ms)).toISOString();
  return toHit({ kind: "event", id: eventName(id), subaccount_id, title: type, detail });
}

function requestHit({ id, subaccount_id, method, route, status }: RequestHit): Hit {
  const title = `${method} ${route}`.trimEnd();
  return toHit({ kind: "request", id, subaccount_id, title, detail: String(status) });
}
