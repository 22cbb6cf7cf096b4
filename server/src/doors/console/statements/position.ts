// A bank connection against the books: the difference, the items that explain it, and whether a month can be closed.

import type { BankConnection } from "../../../banking/connections/index.ts";
import { waitsForSecondUser } from "../../../banking/requests/index.ts";
import {
  type BankException,
  type BankPosition,
  findClosingRefusal,
  findPosition,
  listClosings,
  listExceptions,
  monthEndOf,
} from "../../../banking/statements/index.ts";
import { toSum } from "../../../platform/base/index.ts";
import type { Db, Runner } from "../../../platform/db/index.ts";
import type { Sum } from "../../../platform/fields/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { refusals } from "../../../platform/refusals/index.ts";
import { monthOf } from "../reconcile/period.ts";
import { presentStanding } from "./money.ts";
import { findStandings } from "./queries.ts";
import type { BankPositionDetail, TransitItem } from "./schema.ts";

/** The list of exceptions has the others. */
const overdueShown = 3;

type PositionOf = { connection: BankConnection; month: string | undefined; nowMs: number };

/** From one snapshot. */
export function describePosition(
  db: Db,
  { connection, month, nowMs }: PositionOf,
): Promise<BankPositionDetail> {
  return db.transaction(
    async (tx) => {
      const { id, row } = connection;
      const to = toDayOf(month, nowMs);
      const position = await findPosition(tx, { connection, toDay: to });
      const standing = (
        await findStandings(tx, { connectionId: id, most: limits.suspenseListedMax })
      ).get(id);
      const exceptions = await listExceptions(tx, connection, nowMs);
      const isMet = position.bank !== undefined && position.unexplained === 0n;
      const untilThen = exceptions.filter(({ day }) => day <= to);
      const next = month ?? (await nextMonth(tx, id, standing?.first_day ?? undefined));
      return {
        ...presentStanding(row, standing),
        // Of the day that the figures are of, as the balance beside it.
        to_day: position.statement?.to_day ?? null,
        to,
        ...figuresOf(position),
        opening: openingOf(position),
        opening_waits: await waitsForSecondUser(tx, "opening", id),
        exceptions: exceptions.length,
        state: !isMet ? "unexplained" : untilThen.length > 0 ? "exceptions" : "balanced",
        overdue: overdueOf(untilThen),
        closing:
          next === undefined
            ? null
            : { month: next, why_not: await whyNot(tx, { connection, month: next, nowMs }) },
      };
    },
    { snapshot: true },
  );
}

function toDayOf(month: string | undefined, nowMs: number): string {
  return month === undefined ? new Date(nowMs).toISOString().slice(0, 10) : monthEndOf(month);
}

function figuresOf({ books, bank, statement, inTransit, unexplained }: BankPosition) {
  return {
    books: toSum(books),
    bank: bank === undefined ? null : toSum(bank),
    in_transit: toSum(inTransit.reduce((all, { amount }) => all + amount, 0n)),
    items: inTransit.length,
    unexplained: toSum(unexplained),
    statement_id: statement?.id ?? null,
  };
}

function overdueOf(exceptions: readonly BankException[]): TransitItem[] {
  return exceptions
    .filter(({ kind }) => kind === "batch" || kind === "transit")
    .slice(0, overdueShown)
    .map(({ item, amount = 0n, currency, day, text }) => ({
      item,
      amount: toSum(amount),
      currency,
      day,
      text,
    }));
}

function openingOf({ opening }: BankPosition): Sum | null {
  return opening ? toSum(opening.amount) : null;
}

/** After the last closed month, or that of the first statement. */
async function nextMonth(
  db: Runner,
  connectionId: string,
  firstDay: string | undefined,
): Promise<string | undefined> {
  const [last] = await listClosings(db, connectionId, 1);
  if (!last) return firstDay?.slice(0, 7);
  return new Date(monthOf(last.month).toMs).toISOString().slice(0, 7);
}

async function whyNot(
  db: Runner,
  { connection, month, nowMs }: { connection: BankConnection; month: string; nowMs: number },
) {
  const refusal = await findClosingRefusal(db, { connection, month, atMs: nowMs });
  if (!refusal) return null;
  const [{ code, message }] = refusal.problems;
  return { code, message, cure: refusals[code][2] };
}

/** The items between the books and the bank, oldest first. */
export async function listTransit(
  db: Db,
  { connection, month, nowMs }: PositionOf,
): Promise<TransitItem[]> {
  const { currency } = connection.row;
  const toDay = toDayOf(month, nowMs);
  const { inTransit } = await db.transaction((tx) => findPosition(tx, { connection, toDay }), {
    snapshot: true,
  });
  return inTransit.map(({ item, amount, day, text }) => ({
    item,
    amount: toSum(amount),
    currency,
    day,
    text,
  }));
}
