// What a user may choose when they match a report or a line by hand: found by amount, name and reference, with the reasons.

import { type CandidateWords, candidatesOf, findSuspense } from "../../../banking/answers/index.ts";
import {
  findLine,
  listOpenLines,
  listSentBatches,
  type StatementLineRow,
} from "../../../banking/statements/index.ts";
import { oldestId, toSum } from "../../../platform/base/index.ts";
import type { Runner } from "../../../platform/db/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { findBatchNames } from "./queries.ts";
import type { MatchOption, MatchQuery } from "./schema.ts";

const dayMs = 86_400_000;
/** As far as for payouts that a user looks for. */
const daysApart = 45;
const optionsMax = 50;

function wordsOf({ text = "", amount }: MatchQuery): CandidateWords | undefined {
  const trimmed = text.trim();
  return trimmed === "" ? undefined : { text: trimmed, amount: amount ?? null };
}

/** Payouts that a suspense item may be about. */
export async function listSuspenseOptions(
  db: Runner,
  id: string,
  query: MatchQuery,
): Promise<MatchOption[]> {
  const item = await findSuspense(db, id);
  if (!item) throw new Refusal("BANK411");
  return presentPayouts(await candidatesOf(db, item, wordsOf(query)));
}

/** Payouts, bank files and other open debits of the same match. Best first of each. */
export async function listLineOptions(
  db: Runner,
  id: string,
  query: MatchQuery,
): Promise<MatchOption[]> {
  const line = await findLine(db, id);
  if (!line) throw new Refusal("BANK471");
  const amount = (-BigInt(line.amount)).toString();
  const item = { ...line, amount, payout_id: null, created_at_ms: "0" };
  const words = wordsOf(query);
  const found = await candidatesOf(db, item, words);
  // One line pays a payout. A return is about a payout that was paid.
  const payouts = presentPayouts(found.filter(({ is_matched }) => !is_matched));
  const rest = [...(await listFiles(db, line)), ...(await listOtherLines(db, line))];
  return [...payouts, ...rest.filter((one) => !words || fits(one, words))];
}

function presentPayouts(found: Awaited<ReturnType<typeof candidatesOf>>): MatchOption[] {
  return found.map((one) => ({
    kind: "payout",
    id: one.payout_id,
    amount: toSum(BigInt(one.amount)),
    currency: one.currency,
    day: one.process_date,
    name: one.name,
    reference: one.file_reference,
    reasons: one.reasons,
  }));
}

async function listFiles(db: Runner, line: StatementLineRow): Promise<MatchOption[]> {
  const { connection_id: connectionId, currency, day } = line;
  const dayIn = (days: number) =>
    new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
  const span = { fromDay: dayIn(-daysApart), toDay: dayIn(daysApart) };
  const batches = await listSentBatches(db, { connectionId, ...span });
  const names = await findBatchNames(
    db,
    batches.map(({ id }) => id),
  );
  return batches.flatMap(({ id, total, rejected, matched, process_date }): MatchOption[] => {
    const left = BigInt(total) - BigInt(rejected) - BigInt(matched);
    if (left <= 0n) return [];
    const reasons = [
      ...(left === -BigInt(line.amount) ? ["same amount"] : []),
      ...(process_date === day ? ["same day"] : []),
    ];
    const name = names.get(id) ?? "";
    const amount = toSum(left);
    return [
      { kind: "batch", id, amount, currency, day: process_date, name, reference: "", reasons },
    ];
  });
}

async function listOtherLines(db: Runner, line: StatementLineRow): Promise<MatchOption[]> {
  const page = { connectionId: line.connection_id, afterId: oldestId, limit: optionsMax };
  return (await listOpenLines(db, page))
    .filter(({ id, amount }) => id !== line.id && BigInt(amount) < 0n)
    .map(({ id, amount, currency, day, party, reference, bank_text }) => ({
      kind: "line",
      id,
      amount: toSum(-BigInt(amount)),
      currency,
      day,
      name: party,
      reference: reference || bank_text,
      reasons: [],
    }));
}

function fits({ name, reference, amount }: MatchOption, words: CandidateWords): boolean {
  const text = words.text.toLowerCase();
  return String(amount) === words.amount || `${name} ${reference}`.toLowerCase().includes(text);
}
