// Decides about suspense items: match one to a payout, give its money to a subaccount or to the company, split it, return
// its money, close it, or undo the last decision.

import { fund, postTransfers, tellLowBalances } from "../../money/ledger/index.ts";
import { movePayouts, toPayoutMove } from "../../money/payouts/index.ts";
import { type Mode, newId } from "../../platform/base/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { findSubaccounts } from "../../tenants/subaccounts/index.ts";
import { type ConnectionRow, lockConnection, railIdOf } from "../connections/index.ts";
import {
  causeOf,
  decideInbound,
  emptyLine,
  type InboundLine,
  suspenseReasons,
} from "../readers/index.ts";
import { bookCompany } from "./company.ts";
import type { InboundRun } from "./inbound-page.ts";
import {
  findSentByPayout,
  type LockedPayout,
  lockPayouts,
  type NewInboundLine,
} from "./inbound-queries.ts";
import { bookSuspense } from "./suspend.ts";
import {
  findSuspense,
  insertSuspense,
  listSuspenseActs,
  lockNotified,
  lockParts,
  lockSuspense,
  mergePart,
  recordSuspenseAct,
  type SuspenseAct,
  type SuspenseRow,
  type SuspenseStatus,
} from "./suspense-queries.ts";

/** Who decides, and why. */
export type Deciding = { id: string; reason: string; who: string; atMs: number };

type LockedItem = SuspenseRow & { mode: Mode };

/** After its connection, as files from banks lock it. */
export async function lockSuspenseItem(tx: Tx, id: string): Promise<LockedItem> {
  const found = await findSuspense(tx, id);
  if (!found) throw new Refusal("BANK411");
  // After files of the same connection, which lock it first as well.
  const { mode } = (await lockConnection(tx, found.connection_id)) as ConnectionRow;
  return { ...((await lockSuspense(tx, id)) as SuspenseRow), mode };
}

async function lockOpen(tx: Tx, id: string): Promise<LockedItem> {
  const item = await lockSuspenseItem(tx, id);
  if (item.status !== "open") throw new Refusal("BANK412");
  return item;
}

type Decision = {
  act: SuspenseAct["act"];
  status: SuspenseStatus;
  payout?: LockedPayout;
  subaccountId?: string;
  transferId?: string;
};

function record(
  tx: Tx,
  item: SuspenseRow,
  { act, status, payout, subaccountId, transferId }: Decision,
  { reason, who, atMs }: Deciding,
): Promise<void> {
  const payout_id = payout?.id ?? null;
  const subaccount_id = payout?.subaccount_id ?? subaccountId ?? null;
  const transfer_id = transferId ?? null;
  const entry = { act, reason, who, at_ms: atMs, subaccount_id, payout_id, transfer_id };
  return recordSuspenseAct(tx, item, status, entry);
}

function book(tx: Tx, kind: "suspend" | "unsuspend", item: LockedItem, deciding: Deciding) {
  if (!item.is_booked) return;
  return bookSuspense(tx, kind, [item], bookingOf(item, deciding));
}

function bookingOf(
  { connection_id, mode }: Pick<LockedItem, "connection_id" | "mode">,
  { who, atMs }: Deciding,
) {
  return { rail: railIdOf(connection_id), mode, who, atMs };
}

/** The bank's report is about this payout: it does to it what it would have done at once. */
export async function matchSuspense(
  tx: Tx,
  payoutId: string,
  deciding: Deciding,
): Promise<LockedPayout> {
  const item = await lockOpen(tx, deciding.id);
  const payout = await lockSent(tx, payoutId);
  const rail = railIdOf(item.connection_id);
  if (payout?.rail !== rail) throw new Refusal("BANK413");
  const line = lineOf(item);
  if (line.kind === "return" && !item.is_booked) throw new Refusal("BANK415");
  const decision = decideInbound(line, payout, { rail, confirms: true });
  if (decision.outcome === "suspended" && decision.reason === "amount_differs") {
    throw new Refusal("BANK414");
  }
  if (decision.outcome !== "applied") {
    const message =
      decision.outcome === "suspended" ? suspenseReasons[decision.reason] : decision.detail;
    throw new Refusal("BANK415", { message: `The item can't be matched: ${message}` });
  }
  const { who, atMs, reason } = deciding;
  const cause = causeOf(line);
  const failure = decision.move === "settle" ? {} : { cause, causeCode: item.code };
  await book(tx, "unsuspend", item, deciding);
  await movePayouts(tx, [
    toPayoutMove(payout, { move: decision.move, who, atMs, reason, ...failure }),
  ]);
  await record(tx, item, { act: "match", status: "matched", payout }, deciding);
  return payout;
}

async function lockSent(tx: Tx, payoutId: string): Promise<LockedPayout | undefined> {
  const [sent] = await findSentByPayout(tx, [payoutId]);
  return sent && (await lockPayouts(tx, [sent]))[0];
}

function lineOf(item: SuspenseRow): InboundLine {
  const { kind, code, bank_text, amount, currency } = item;
  return {
    ...emptyLine,
    line: 0,
    // A user says that the money is a return.
    kind: kind === "credit" ? "return" : kind,
    scheme: schemeOf(code),
    code,
    text: bank_text,
    amount: amount === null ? undefined : BigInt(amount),
    currency,
  };
}

/** One digit in Australia, R and two digits in America, else ISO 20022. */
function schemeOf(code: string): InboundLine["scheme"] {
  if (/^\d$/.test(code)) return "becs";
  return /^R\d\d$/.test(code) ? "nacha" : "iso";
}

/** One item becomes several, which add up to it. Each is decided on its own. */
export async function splitSuspense(
  tx: Tx,
  amounts: readonly bigint[],
  deciding: Deciding,
): Promise<string[]> {
  const item = await lockOpen(tx, deciding.id);
  if (item.amount === null || !item.is_booked) throw new Refusal("BANK417");
  const sum = amounts.reduce((all, amount) => all + amount, 0n);
  const isSound = amounts.length >= 2 && amounts.every((amount) => amount > 0n);
  if (!isSound || sum !== BigInt(item.amount)) throw new Refusal("BANK416");
  const { status: _status, acts: _acts, mode: _mode, ...facts } = item;
  const parts = amounts.map((amount) => ({
    ...facts,
    id: newId(),
    parent_id: item.id,
    amount: amount.toString(),
    created_at_ms: Number(item.created_at_ms),
  }));
  await insertSuspense(tx, parts);
  await moveBooking(tx, item, parts, deciding);
  await record(tx, item, { act: "split", status: "split" }, deciding);
  return parts.map(({ id }) => id);
}

/** The books name each item by its id. */
async function moveBooking(
  tx: Tx,
  item: Pick<LockedItem, "id" | "amount" | "currency" | "connection_id" | "mode">,
  parts: readonly Pick<SuspenseRow, "id" | "amount" | "currency">[],
  deciding: Deciding,
): Promise<void> {
  const booking = bookingOf(item, deciding);
  await bookSuspense(tx, "unsuspend", [item], booking);
  await bookSuspense(tx, "suspend", parts, booking);
}

/** The money is the subaccount's. */
export async function fundBySuspense(
  tx: Tx,
  subaccountId: string,
  deciding: Deciding,
): Promise<string> {
  const item = await lockOpen(tx, deciding.id);
  const { amount, currency, mode, connection_id } = item;
  if (amount === null || !item.is_booked) throw new Refusal("BANK417");
  const [subaccount] = await findSubaccounts(tx, [subaccountId]);
  if (subaccount?.mode !== mode) throw new Refusal("BANK421");
  const { who, atMs } = deciding;
  await book(tx, "unsuspend", item, deciding);
  const transferId = await fund(tx, {
    subaccountId,
    currency,
    amount: BigInt(amount),
    // An item that was undone may be given again.
    reference: `${item.reference || "deposit"} ${item.id} ${item.acts + 1}`.slice(0, 200),
    who,
    atMs,
    rail: railIdOf(connection_id),
  });
  await record(tx, item, { act: "fund", status: "funded", subaccountId, transferId }, deciding);
  return transferId;
}

/** The money is the company's own. */
export async function giveSuspenseToCompany(tx: Tx, deciding: Deciding): Promise<void> {
  const item = await lockOpen(tx, deciding.id);
  if (item.amount === null || !item.is_booked) throw new Refusal("BANK417");
  const transferId = newId();
  await book(tx, "unsuspend", item, deciding);
  await bookCompany(tx, [companyMoney(item, transferId, 1n)], companyBooking(item, deciding));
  await record(tx, item, { act: "company", status: "company", transferId }, deciding);
}

function companyMoney({ id, amount, currency }: LockedItem, transferId: string, sign: bigint) {
  return { id: transferId, amount: sign * BigInt(amount as string), currency, reference: id };
}

function companyBooking({ connection_id, mode }: LockedItem, { who, atMs }: Deciding) {
  return { connectionId: connection_id, mode, who, atMs };
}

/** The money goes back to the bank. Paying it back is done there, not by us. */
export async function returnSuspense(tx: Tx, deciding: Deciding): Promise<void> {
  const item = await lockOpen(tx, deciding.id);
  if (!item.is_booked) throw new Refusal("BANK417");
  await book(tx, "unsuspend", item, deciding);
  await record(tx, item, { act: "return", status: "returned" }, deciding);
}

/** For reports without money: there is nothing to do. */
export async function closeSuspense(tx: Tx, deciding: Deciding): Promise<void> {
  const item = await lockOpen(tx, deciding.id);
  if (item.is_booked) throw new Refusal("BANK418");
  await record(tx, item, { act: "close", status: "closed" }, deciding);
}

/** The last decision is taken back, by a new entry. */
export async function undoSuspense(tx: Tx, deciding: Deciding): Promise<void> {
  const item = await lockSuspenseItem(tx, deciding.id);
  const last = (await listSuspenseActs(tx, item.id)).at(-1);
  if (!last || last.act === "undo") throw new Refusal("BANK419");
  if (last.act === "match") await undoMatch(tx, item, last, deciding);
  if (last.act === "return") await book(tx, "suspend", item, deciding);
  if (last.act === "split") await undoSplit(tx, item, deciding);
  const transferId = newId();
  if (last.act === "fund") await undoFund(tx, item, { last, transferId }, deciding);
  if (last.act === "company") {
    await bookCompany(tx, [companyMoney(item, transferId, -1n)], companyBooking(item, deciding));
    await book(tx, "suspend", item, deciding);
  }
  const isMoved = last.act === "fund" || last.act === "company";
  await record(tx, item, { act: "undo", status: "open", ...(isMoved && { transferId }) }, deciding);
}

async function undoMatch(
  tx: Tx,
  item: LockedItem,
  { subaccount_id, payout_id }: SuspenseAct,
  deciding: Deciding,
): Promise<void> {
  if (subaccount_id === null || payout_id === null) throw new Refusal("BANK420");
  const [payout] = await lockPayouts(tx, [{ subaccount_id, payout_id }]);
  if (!item.is_booked || payout?.stage !== "returned") throw new Refusal("BANK420");
  const { reason, who, atMs } = deciding;
  const move = toPayoutMove(payout, { move: "reinstate", who, atMs, reason });
  await movePayouts(tx, [move]);
  await tellLowBalances(
    tx,
    subaccount_id,
    move.transfers.map(({ id }) => id),
  );
  await book(tx, "suspend", item, deciding);
}

async function undoFund(
  tx: Tx,
  item: LockedItem,
  { last, transferId }: { last: SuspenseAct; transferId: string },
  deciding: Deciding,
): Promise<void> {
  const { subaccount_id, transfer_id } = last;
  if (subaccount_id === null || transfer_id === null) throw new Refusal("BANK420");
  const { reason, who, atMs } = deciding;
  await postTransfers(tx, [
    {
      id: transferId,
      kind: "reversal",
      subaccountId: subaccount_id,
      currency: item.currency,
      amount: BigInt(item.amount as string),
      reversesId: transfer_id,
      rail: railIdOf(item.connection_id),
      reference: reason,
      atMs,
      who,
    },
  ]);
  await book(tx, "suspend", item, deciding);
}

async function undoSplit(tx: Tx, item: LockedItem, deciding: Deciding): Promise<void> {
  const parts = await lockParts(tx, item.id);
  if (parts.some(({ status }) => status !== "open")) throw new Refusal("BANK420");
  for (const { id } of parts) await mergePart(tx, id);
  const booking = bookingOf(item, deciding);
  await bookSuspense(tx, "unsuspend", parts, booking);
  await bookSuspense(tx, "suspend", [item], booking);
}

/**
 * A statement has money in suspense that a notification or a return file told of before: the earlier item ends, so that it
 * is booked once.
 */
export async function mergeNotified(
  { tx, connection, fileId, who, atMs }: InboundRun,
  reports: readonly NewInboundLine[],
): Promise<void> {
  const suspended = reports.filter(
    ({ outcome, reference }) => outcome === "suspended" && reference !== "",
  );
  if (suspended.length === 0) return;
  const references = suspended.map(({ reference }) => reference);
  const open = await lockNotified(tx, { connectionId: connection.id, fileId, references });
  for (const report of suspended) {
    const place = open.findIndex(
      ({ reference, amount, currency }) =>
        reference === report.reference && amount === report.amount && currency === report.currency,
    );
    const [item] = place === -1 ? [] : open.splice(place, 1);
    if (!item) continue;
    const deciding = { id: item.id, reason: "a statement reports the same money", who, atMs };
    await book(tx, "unsuspend", { ...item, mode: connection.row.mode }, deciding);
    await record(tx, item, { act: "close", status: "merged" }, deciding);
  }
}
