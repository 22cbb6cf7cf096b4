// What a user has to look at before the books of a bank connection meet the bank. What is only expected is no exception
// until it is overdue.

import {
  addBankingDays,
  wallClockAt,
} from "../../../../packages/bank-formats/src/calendars/index.ts";
import type { Runner } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { listSuspense } from "../answers/index.ts";
import type { BankConnection } from "../connections/index.ts";
import type { InboundKind } from "../readers/index.ts";
import { findNotes } from "./exception-queries.ts";
import { listOverdue } from "./overdue.ts";
import { findPosition } from "./position.ts";
import { listDoubtfulLines, listOpenLines, type StatementLineRow } from "./queries.ts";
import { loadChain } from "./to-chained.ts";

/** Why it is one, in words of the command line. */
export const exceptionKinds = {
  line: "a statement line that nothing explains",
  repetition: "a statement line that may repeat an earlier one",
  suspense: "money or a report of the bank that waits in suspense",
  gap: "statements do not follow each other: one is missing",
  overlap: "a statement begins before the one before it ends",
  batch: "the bank has not debited a file that we sent",
  transit: "the books have money that no statement shows",
  opening: "the balance before the first statement is not in the books",
  statement: "no statement has come for days",
} as const;
export type ExceptionKind = keyof typeof exceptionKinds;

export type BankException = {
  /** Names it: notes are kept under this name. */
  item: string;
  kind: ExceptionKind;
  connectionId: string;
  /** Since when, YYYY-MM-DD. */
  day: string;
  /** Signed, in minor units; undefined where it is about no amount. */
  amount: bigint | undefined;
  currency: string;
  /** The name that the statement has: who paid, or was paid. */
  party: string;
  /** What the bank reports, of an item in suspense. */
  report: InboundKind | undefined;
  text: string;
  owner: string;
  note: string;
};

const firstId = "00000000-0000-0000-0000-000000000000";

type Found = Omit<BankException, "owner" | "note" | "party" | "report"> &
  Partial<Pick<BankException, "party" | "report">>;

/** Oldest first, up to a limit for each kind. */
export async function listExceptions(
  db: Runner,
  connection: BankConnection,
  nowMs: number,
): Promise<BankException[]> {
  const { id: connectionId, row, calendar } = connection;
  const { currency } = row;
  const limit = limits.suspenseListedMax;
  const found: Found[] = [];
  const lines = { connectionId, afterId: firstId, limit };
  for (const line of await listOpenLines(db, lines)) found.push(ofLine(line, "line"));
  for (const line of await listDoubtfulLines(db, lines)) found.push(ofLine(line, "repetition"));
  const waiting = { connectionId, includesDecided: false, afterId: firstId, limit };
  for (const item of await listSuspense(db, waiting)) {
    found.push({
      item: `suspense:${item.id}`,
      kind: "suspense",
      connectionId,
      day: item.day,
      amount: item.amount === null ? undefined : BigInt(item.amount),
      currency: item.currency,
      party: item.party,
      report: item.kind,
      text: [item.reference, item.bank_text].filter((text) => text !== "").join(" · "),
    });
  }
  const { statements, problems } = await loadChain(db, connectionId);
  const byId = new Map(statements.map((one) => [one.id, one]));
  for (const { kind, id, amount } of problems) {
    const { from_day, to_day, bank_id } = byId.get(id) ?? { from_day: "", to_day: "", bank_id: "" };
    const text = `before statement ${bank_id || to_day}`;
    found.push({
      item: `${kind}:${id}`,
      kind,
      connectionId,
      day: from_day || to_day,
      amount,
      currency,
      text,
    });
  }
  const last = statements.at(-1);
  // Without statements, nothing is expected of them.
  if (last) {
    const today = wallClockAt(nowMs, row.time_zone).date;
    const days = limits.bankOverdueDays;
    for (const overdue of await listOverdue(db, connection)) {
      found.push({ ...overdue, connectionId, currency });
    }
    const { opening } = await findPosition(db, { connection, toDay: today });
    if (opening) {
      const { from_day = "", bank_id = "" } = byId.get(opening.statementId) ?? {};
      found.push({
        item: `opening:${opening.statementId}`,
        kind: "opening",
        connectionId,
        day: from_day,
        amount: opening.amount,
        currency,
        text: `before statement ${bank_id || from_day}`,
      });
    }
    if (addBankingDays(calendar, last.to_day, days) < today) {
      const text = `the last one ends on ${last.to_day}`;
      const item = `statement:${connectionId}`;
      found.push({
        item,
        kind: "statement",
        connectionId,
        day: last.to_day,
        amount: undefined,
        currency,
        text,
      });
    }
  }
  const notes = await findNotes(
    db,
    found.map(({ item }) => item),
  );
  return found
    .map((one) => ({
      party: "",
      report: undefined,
      ...one,
      ...(notes.get(one.item) ?? { owner: "", note: "" }),
    }))
    .sort((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0));
}

function ofLine(line: StatementLineRow, kind: "line" | "repetition") {
  return {
    item: `line:${line.id}`,
    kind,
    connectionId: line.connection_id,
    day: line.day,
    amount: BigInt(line.amount),
    currency: line.currency,
    party: line.party,
    text: [line.reference, line.bank_text].filter((text) => text !== "").join(" · "),
  };
}
