// A bank connection against the books: the difference, the items that explain it, and whether a month can be closed.

import type { BankConnection } from "../../banks/connection.ts";
import { findClosingRefusal } from "../../banks/statements/close-month.ts";
import { listExceptions } from "../../banks/statements/exceptions.ts";
import { type BankPosition, findPosition, monthEndOf } from "../../banks/statements/position.ts";
import { listClosings } from "../../banks/statements/position-queries.ts";
import type { Db, Runner } from "../../db/connect.ts";
import { limits } from "../../limits.ts";
import { toSum } from "../../money.ts";
import { refusals } from "../../refusals/refusals.ts";
import type { Sum } from "../fields.ts";
import { monthOf } from "../reconcile/period.ts";
import { presentStanding } from "./money.ts";
import { cutPlace } from "./pages.ts";
import { findStandings } from "./queries.ts";
import type { BankPositionDetail, TransitItem } from "./schema.ts";

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
      const next = month ?? (await nextMonth(tx, id, standing?.first_day ?? undefined));
      return {
        ...presentStanding(row, standing),
        // Of the day that the figures are of, as the balance beside it.
        to_day: position.statement?.to_day ?? null,
        to,
        ...figuresOf(position),
        opening: openingOf(position),
        exceptions: exceptions.length,
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
export async function listTransitPage(
  db: Db,
  { connection, month, nowMs, place, size }: PositionOf & { place: number; size: number },
) {
  const { currency } = connection.row;
  const toDay = toDayOf(month, nowMs);
  const { inTransit } = await db.transaction((tx) => findPosition(tx, { connection, toDay }), {
    snapshot: true,
  });
  const { rows, next } = cutPlace(inTransit, { place, size });
  return {
    rows: rows.map(
      ({ item, amount, day, text }): TransitItem => ({
        item,
        amount: toSum(amount),
        currency,
        day,
        text,
      }),
    ),
    next,
  };
}
