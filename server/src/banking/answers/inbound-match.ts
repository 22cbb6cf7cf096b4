// Finds the payout that a bank's report is about: by our reference, or by account, amount, reference and day where
// exactly one fits.

import { openNumberIfReadable } from "../../people/person/index.ts";
import type { Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { comparableAccount, comparableText, matchKey } from "../files/index.ts";
import type { InboundLine, SuspenseReason } from "../readers/index.ts";
import { findSentByPlace, type SentAccount } from "./inbound-change-queries.ts";
import {
  findSentByKey,
  findSentByPayout,
  type LockedPayout,
  lockPayouts,
  type SentLine,
} from "./inbound-queries.ts";

export type FoundPayout = { payout: LockedPayout; sent: SentLine };

export type InboundMatch = FoundPayout | { payout: undefined; reason: SuspenseReason };

type MatchParts = { tx: Tx; seal: Seal; connection: { id: string }; atMs: number };

/** Locks the payouts that lines may be about. The returned function chooses among them, by their stage at that time. */
export async function matchInbound(
  { tx, seal, connection, atMs }: MatchParts,
  lines: readonly InboundLine[],
): Promise<(line: InboundLine) => InboundMatch> {
  const keyByLine = new Map(lines.map((line) => [line, returnKey(seal, connection.id, line)]));
  const keyOf = (line: InboundLine) => keyByLine.get(line);
  const ids = lines.flatMap(({ payoutId }) => payoutId || []);
  const unnamed = lines.filter(
    ({ payoutId, isWholeFile, kind }) => payoutId === "" && !isWholeFile && kind !== "credit",
  );
  const keys = unnamed.flatMap((line) => keyOf(line) ?? []);
  const places = unnamed.flatMap((line) => (keyOf(line) === undefined && line.fileLine) || []);
  const byPayout = ids.length > 0 ? await findSentByPayout(tx, [...new Set(ids)]) : [];
  const byKey = keys.length > 0 ? await findSentByKey(tx, [...new Set(keys)]) : [];
  const byPlace =
    places.length > 0
      ? await findSentByPlace(tx, {
          connectionId: connection.id,
          places: [...new Set(places)],
          fromDate: new Date(atMs - recentDays * dayMs).toISOString().slice(0, 10),
        })
      : [];
  const all = [...byPayout, ...byKey, ...byPlace];
  const locked = all.length > 0 ? await lockPayouts(tx, all) : [];
  const payouts = new Map(locked.map((row) => [row.id, row]));
  const sentByPayout = Map.groupBy(byPayout, ({ payout_id }) => payout_id);
  const sentByKey = Map.groupBy(byKey, ({ match_key }) => match_key);
  const sentByPlace = Map.groupBy(byPlace, ({ line }) => line);

  return (line) => {
    if (line.isWholeFile) return { payout: undefined, reason: "no_batch" };
    if (line.kind === "credit") return { payout: undefined, reason: "unknown_credit" };
    if (line.payoutId !== "") return choose(sentByPayout.get(line.payoutId) ?? [], payouts);
    const key = keyOf(line);
    const found =
      key === undefined
        ? (sentByPlace.get(line.fileLine) ?? []).filter((sent) => isPayee(seal, sent, line))
        : (sentByKey.get(key) ?? []);
    return choose(fittingLines(line, found), payouts);
  };
}

/** Compares the account itself, for reports without an amount. */
function isPayee(seal: Seal, sent: SentAccount, { payee, reference }: InboundLine): boolean {
  const account = openNumberIfReadable(seal, { ...sent, version: sent.account_version });
  return (
    account !== undefined &&
    comparableAccount(account) === comparableAccount(payee.account) &&
    comparableText(sent.file_reference) === comparableText(reference)
  );
}

function returnKey(
  seal: Seal,
  connectionId: string,
  { payee, amount, reference }: InboundLine,
): string | undefined {
  if (payee.account === "" || amount === undefined) return undefined;
  return matchKey(seal, connectionId, { accountNumber: payee.account, amount, reference });
}

const dayMs = 86_400_000;
/** Of files in which a payment without an amount is looked for. */
const recentDays = 30;
/** A bank may process a file later than its date, and takes some time to return a payment. */
const daysApartMax = { processed: 5, until: 20 } as const;

/** Those whose bank, day and place in the file are the ones of the line. */
function fittingLines(line: InboundLine, found: readonly SentLine[]): SentLine[] {
  const { bank } = line.payee;
  const ofBank = found.filter(
    ({ bsb, bank_code }) => bank === "" || bsb.startsWith(bank) || bank_code.startsWith(bank),
  );
  const ofDay = line.day === "" ? ofBank : ofDayOf(line, ofBank);
  const ofPlace = ofDay.filter((sent) => sent.line === line.fileLine);
  return ofPlace.length > 0 ? ofPlace : ofDay;
}

function ofDayOf({ day, dayMeaning }: InboundLine, found: readonly SentLine[]): SentLine[] {
  const exact = found.filter(({ process_date }) => process_date === day);
  if (exact.length > 0) return exact;
  return found.filter(({ process_date }) => {
    const days = (Date.parse(day) - Date.parse(process_date)) / dayMs;
    return Math.abs(days) <= daysApartMax[dayMeaning] && (days > 0 || dayMeaning === "processed");
  });
}

const openStages = new Set(["submitted", "settled"]);

function choose(
  fitting: readonly SentLine[],
  payouts: ReadonlyMap<string, LockedPayout>,
): InboundMatch {
  const sent = fitting.filter(({ batch_status }) => batch_status !== "discarded");
  // A payout that was in a discarded file is in the next one as well.
  const lines = sent.length > 0 ? sent : fitting;
  const byPayout = new Map(lines.map((line) => [line.payout_id, line]));
  if (byPayout.size === 0) return { payout: undefined, reason: "no_payout" };
  const all = [...byPayout.values()].map((line) => ({
    sent: line,
    payout: payouts.get(line.payout_id) as LockedPayout,
  }));
  const open = all.filter(({ payout }) => openStages.has(payout.stage));
  const [only, ...others] = open.length > 0 ? open : all;
  if (!only || others.length > 0) return { payout: undefined, reason: "several_payouts" };
  return only;
}
