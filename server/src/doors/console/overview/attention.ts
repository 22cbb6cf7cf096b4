// The items of the overview that need attention.

import { countWaitingBankRequests } from "../../../banking/requests/index.ts";
import { listResolutions } from "../../../money/payouts/index.ts";
import { countWaitingBankChanges } from "../../../people/accounts/index.ts";
import { firstIdOf, idTimeMs, toSum } from "../../../platform/base/index.ts";
import type { Runner } from "../../../platform/db/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { changeRequestKinds, listWaitingRequests } from "../../../tenants/four-eyes/index.ts";
import { listEndingTokens } from "../../../tenants/operator-tokens/index.ts";
import { may, type User } from "../../../tenants/roles/index.ts";
import { listUnconfirmedUsers } from "../../../tenants/user-records/index.ts";
import {
  type EndpointRow,
  findEndpoint,
  listFurtherIds,
} from "../../../webhooks/webhook-endpoints/index.ts";
import { countHitQueue } from "../../review-list/index.ts";
import { listOfCompany } from "../approvals/company.ts";
import { companyKinds } from "../approvals/schema.ts";
import { listOldestWaiting } from "../waiting/queries.ts";
import { waitingLimits } from "../waiting/waiting-limits.ts";
import {
  type Counted,
  countAbandonedEvents,
  countLatePayouts,
  countPayoutsInStage,
  countPayoutsSetAside,
  countUnsentEvents,
  listEndingKeys,
  listNewKeys,
} from "./attention-queries.ts";
import { isNotNew, kycTile, lateOnes } from "./kyc.ts";
import type { WaitingAge } from "./kyc-queries.ts";
import type { OverviewBalanceRow } from "./queries.ts";
import type { Attention, AttentionKind } from "./schema.ts";

type AttentionRequest = {
  subaccountId: string;
  nowMs: number;
  balances: readonly OverviewBalanceRow[];
  waiting: readonly WaitingAge[];
  /** The average amount per day that was paid lately, by currency. */
  paidADay: ReadonlyMap<string, bigint>;
  /** Failed payouts of the range. */
  failed: { count: number; of: number };
  /** Who reads it. The list has only what this user may see. */
  user: User;
};

type Opens = Attention["opens"];
type Rest = Partial<Omit<Attention, "kind" | "opens">>;

function item(kind: AttentionKind, opens: Opens, rest: Rest): Attention {
  const blank = { count: null, of: null, is_more: false, at: null, name: "", amount: null };
  return { kind, opens, ...blank, ...rest };
}

/** Most urgent first. */
export async function listAttention(
  db: Runner,
  { subaccountId, nowMs, balances, waiting, paidADay, failed, user }: AttentionRequest,
): Promise<Attention[]> {
  const lateId = firstIdOf(nowMs - limits.payoutLateMs);
  const ofCompany = await companyWaiting(db, user);
  const found = [
    ...ofCompany.filter(({ kind }) => kind === "bank_file_awaiting_approval"),
    ...(await endpointsInTrouble(db, subaccountId)),
    await payoutsSetAside(db, subaccountId),
    payoutsFailing(failed),
    counted("payouts_late", await countLatePayouts(db, subaccountId, lateId), {
      screen: "payouts",
      query: { status: "pending" },
    }),
    counted("payouts_on_hold", await countPayoutsInStage(db, subaccountId, "on_hold"), {
      screen: "payouts",
      query: { status: "pending", stage: "on_hold" },
    }),
    counted(
      "payouts_awaiting_approval",
      await countPayoutsInStage(db, subaccountId, "awaiting_approval"),
      {
        screen: "payouts",
        query: { status: "pending", stage: "awaiting_approval" },
      },
    ),
    may(user, "reviews.read") ? await hitsOpen(db, subaccountId) : undefined,
    await bankChangesWaiting(db, subaccountId),
    ...(await changesWaiting(db, subaccountId)),
    await resolutionsWaiting(db, subaccountId),
    await requestsExpiring(db, subaccountId, nowMs),
    may(user, "banks.read") ? await bankRequestsWaiting(db) : undefined,
    ...ofCompany.filter(({ kind }) => kind !== "bank_file_awaiting_approval"),
    ...kycItems(waiting),
    ...lowFunds(balances, paidADay),
    await keysEnding(db, subaccountId, nowMs),
    may(user, "users.read") ? await tokensEnding(db, nowMs) : undefined,
    await keysNew(db, subaccountId, nowMs),
    await usersNew(db),
    await eventsAtRest(db, subaccountId),
  ];
  return found.filter((one) => one !== undefined);
}

function counted(
  kind: AttentionKind,
  row: Counted | undefined,
  opens: Opens,
): Attention | undefined {
  if (!row || row.count === 0) return undefined;
  const at = row.oldest_id === null ? null : idTimeMs(row.oldest_id);
  return item(kind, opens, { ...upTo(row.count), at });
}

/** Opens the oldest payout, whose page says why and what to do. */
async function payoutsSetAside(db: Runner, subaccountId: string): Promise<Attention | undefined> {
  const row = await countPayoutsSetAside(db, subaccountId);
  if (!row || row.count === 0) return undefined;
  const opens = { screen: `payouts/${row.oldest_id}`, query: {} };
  const at = row.oldest_ms === null ? null : Number(row.oldest_ms);
  return item("payouts_set_aside", opens, { ...upTo(row.count), at, name: row.reason ?? "" });
}

function upTo(count: number): { count: number; is_more: boolean } {
  return { count: Math.min(count, limits.countedMax), is_more: count > limits.countedMax };
}

async function endpointsInTrouble(
  db: Runner,
  subaccountId: string,
): Promise<(Attention | undefined)[]> {
  const further = await listFurtherIds(db, subaccountId);
  const postback = await findEndpoint(db, subaccountId, limits.countedMax + 1);
  const query = { status: "waiting" };
  const found = postback?.url
    ? [endpointTrouble(postback, query)]
    : further.length > 0
      ? []
      : [await endpointMissing(db, subaccountId)];
  for (const endpointId of further) {
    const endpoint = await findEndpoint(db, { subaccountId, endpointId }, limits.countedMax + 1);
    if (endpoint) found.push(endpointTrouble(endpoint, { tab: "endpoints" }));
  }
  return found;
}

function endpointTrouble(endpoint: EndpointRow, query: Opens["query"]): Attention | undefined {
  const { url, failing_since_ms, secret_unreadable_since_ms, disabled_at_ms, waiting } = endpoint;
  const troubles = [
    ["endpoint_disabled", disabled_at_ms],
    ["endpoint_secret_unreadable", secret_unreadable_since_ms],
    ["endpoint_failing", failing_since_ms],
  ] as const;
  const [kind, sinceMs] = troubles.find(([, ms]) => ms !== null) ?? [];
  if (!kind) return undefined;
  const name = URL.parse(url)?.host ?? "";
  const opens = { screen: "webhooks", query };
  return item(kind, opens, { ...upTo(waiting), at: Number(sinceMs), name });
}

/** Only if there are events to send. */
async function endpointMissing(db: Runner, subaccountId: string): Promise<Attention | undefined> {
  const count = await countUnsentEvents(db, subaccountId);
  const opens = { screen: "webhooks", query: {} };
  return count === 0 ? undefined : item("endpoint_missing", opens, upTo(count));
}

function payoutsFailing({ count, of }: AttentionRequest["failed"]): Attention | undefined {
  const isMuch = count >= limits.failingPayoutsMin && count >= of * limits.failingShareMin;
  const opens = { screen: "payouts", query: { status: "failed" } };
  return isMuch ? item("payouts_failing", opens, { count, of }) : undefined;
}

async function hitsOpen(db: Runner, subaccountId: string): Promise<Attention | undefined> {
  const { count, oldest_ms } = await countHitQueue(db, subaccountId);
  if (count === 0) return undefined;
  const opens = { screen: "reviews", query: { subaccount_id: subaccountId, kind: "hit" } };
  return item("hits_open", opens, { ...upTo(count), at: Number(oldest_ms) });
}

async function bankChangesWaiting(
  db: Runner,
  subaccountId: string,
): Promise<Attention | undefined> {
  const most = limits.countedMax + 1;
  const count = await countWaitingBankChanges(db, { subaccountId, most });
  const query = { subaccount_id: subaccountId, kind: "bank_change" };
  const opens = { screen: "approvals", query };
  return count === 0 ? undefined : item("bank_changes_awaiting_approval", opens, upTo(count));
}

/** Files, decisions about money and mappings of live bank connections. */
async function bankRequestsWaiting(db: Runner): Promise<Attention | undefined> {
  const { count, oldest_ms } = await countWaitingBankRequests(db, limits.countedMax + 1);
  if (count === 0) return undefined;
  const opens = { screen: "approvals", query: { kind: "bank_request" } };
  return item("bank_requests_awaiting", opens, { ...upTo(count), at: Number(oldest_ms) });
}

/** Of each kind: how many, and since when; for files to a bank, until when the first of them has to be approved. */
async function companyWaiting(db: Runner, user: User): Promise<Attention[]> {
  const found = (await listOfCompany(db, user)).map(({ line }) => line);
  return companyKinds.flatMap((kind) => {
    const own = found.filter((line) => line.kind === kind);
    if (kind === "bank_request" || own.length === 0) return [];
    const times = own.map(({ cutoff, made_at }) => (kind === "bank_file" && cutoff) || made_at);
    const rest = { ...upTo(own.length), at: Math.min(...times) };
    return [item(`${kind}_awaiting_approval`, { screen: "approvals", query: { kind } }, rest)];
  });
}

async function resolutionsWaiting(
  db: Runner,
  subaccountId: string,
): Promise<Attention | undefined> {
  const [first, ...rest] = await listResolutions(db, { subaccountId, limit: limits.rowsMax });
  if (!first) return undefined;
  const query = { subaccount_id: subaccountId, kind: "resolution" };
  const about = { ...upTo(1 + rest.length), at: Number(first.proposed_at_ms) };
  return item("resolution_awaiting_approval", { screen: "approvals", query }, about);
}

/** All open checks, if one is older than an hour: one item, with how many are late. Pure. */
export function kycItems(waiting: readonly WaitingAge[]): Attention[] {
  const opens = { screen: "receivers", query: { kyc_status: "pending" } };
  const { count: late } = lateOnes(waiting);
  const { count, is_more, oldest_at: at } = kycTile(waiting);
  if (!waiting.some(isNotNew)) return [];
  return [item(late > 0 ? "kyc_late" : "kyc_waiting", opens, { count, is_more, at, of: late })];
}

/** Existing payouts are covered, because their money is held. The balance may be too low for the next day. */
function lowFunds(
  balances: readonly OverviewBalanceRow[],
  paidADay: ReadonlyMap<string, bigint>,
): Attention[] {
  return balances
    .filter(({ currency, available }) => BigInt(available) < (paidADay.get(currency) ?? 0n))
    .map(({ currency, available }) => {
      const opens = { screen: "reconcile", query: { currency } };
      return item("funds_low", opens, { name: currency, amount: toSum(BigInt(available)) });
    });
}

async function keysEnding(
  db: Runner,
  subaccountId: string,
  nowMs: number,
): Promise<Attention | undefined> {
  const period = { fromMs: nowMs, toMs: nowMs + limits.keyEndsSoonMs };
  const keys = await listEndingKeys(db, subaccountId, period);
  const [next] = keys;
  if (!next) return undefined;
  const at = Number(next.expires_at_ms);
  const opens = { screen: "keys", query: {} };
  return item("keys_ending", opens, { ...upTo(keys.length), at, name: next.name });
}

/** Operator tokens that a program used lately. */
async function tokensEnding(db: Runner, nowMs: number): Promise<Attention | undefined> {
  const { keyEndsSoonMs: soonMs } = limits;
  const times = { nowMs, toMs: nowMs + soonMs, usedFromMs: nowMs - soonMs };
  const tokens = await listEndingTokens(db, times);
  const [next] = tokens;
  if (!next) return undefined;
  const about = { ...upTo(tokens.length), at: Number(next.expires_at_ms), name: next.name };
  return item("tokens_ending", { screen: "tokens", query: {} }, about);
}

/** Keys to activate, limits to loosen and receivers to erase. */
async function changesWaiting(db: Runner, subaccountId: string): Promise<Attention[]> {
  const limit = limits.countedMax + 1;
  const page = { afterId: firstIdOf(0), subaccountId, kind: undefined, limit };
  const requests = await listWaitingRequests(db, page);
  return changeRequestKinds.flatMap((kind) => {
    const [first, ...rest] = requests.filter((request) => request.kind === kind);
    if (!first) return [];
    const opens = { screen: "approvals", query: { kind } };
    const at = Number(first.made_at_ms);
    const name = first.made_by.replace(/^operator:/, "");
    return [item(`${kind}_awaiting_approval`, opens, { ...upTo(1 + rest.length), at, name })];
  });
}

/** What expires soon, because no second user has decided. Of the subaccount and of the installation. */
async function requestsExpiring(
  db: Runner,
  subaccountId: string,
  nowMs: number,
): Promise<Attention | undefined> {
  const { expiresMs, expiresSoonMs } = waitingLimits;
  const beforeMs = nowMs - expiresMs + expiresSoonMs;
  const limit = limits.countedMax + 1;
  const found = await listOldestWaiting(db, { beforeMs, subaccountId, limit });
  if (found.length === 0) return undefined;
  const oldestMs = Math.min(...found.map(({ made_at_ms }) => Number(made_at_ms)));
  const opens = { screen: "approvals", query: {} };
  const at = oldestMs + expiresMs;
  return item("requests_expiring", opens, { ...upTo(found.length), at });
}

async function keysNew(
  db: Runner,
  subaccountId: string,
  nowMs: number,
): Promise<Attention | undefined> {
  const keys = await listNewKeys(db, subaccountId, nowMs - limits.newsMs);
  const [newest] = keys;
  if (!newest) return undefined;
  const rest = { ...upTo(keys.length), at: Number(newest.at_ms), name: newest.name };
  return item("keys_new", { screen: "keys", query: {} }, rest);
}

/** Users whom another admin has to confirm. */
async function usersNew(db: Runner): Promise<Attention | undefined> {
  const found = await listUnconfirmedUsers(db);
  const [newest] = found;
  if (!newest) return undefined;
  const about = { ...upTo(found.length), at: Number(newest.at_ms), name: newest.email };
  return item("users_new", { screen: "users", query: {} }, about);
}

async function eventsAtRest(db: Runner, subaccountId: string): Promise<Attention | undefined> {
  const row = await countAbandonedEvents(db, subaccountId);
  if (!row || row.count === 0) return undefined;
  const at = row.oldest_ms === null ? null : Number(row.oldest_ms);
  const opens = { screen: "webhooks", query: { status: "undelivered" } };
  return item("events_abandoned", opens, { ...upTo(row.count), at });
}
