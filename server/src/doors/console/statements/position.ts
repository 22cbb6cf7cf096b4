// A bank connection against the books: the difference, the items that explain it, and whether a month can be closed.

import {
  type BankConnection,
  listConnections,
  toConnection,
} from "../../../banking/connections/index.ts";
import { waitsForSecondUser } from "../../../banking/requests/index.ts";
import {
  type BankException,
  type BankPosition,
  findPosition,
  listClosingRefusals,
  listClosings,
  listExceptions,
  monthEndOf,
} from "../../../banking/statements/index.ts";
import { toSum } from "../../../platform/base/index.ts";
import type { Db, Runner } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import type { Sum } from "../../../platform/fields/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { refusals } from "../../../platform/refusals/index.ts";
import { monthOf } from "../reconcile/period.ts";
import { presentStanding } from "./money.ts";
import { findStandings, firstMonthOfFiles } from "./queries.ts";
import type { BankPositionDetail, MonthStop, OpenMonth, TransitItem } from "./schema.ts";

/** Of each connection: closing the oldest shows the next. */
const openMonthsShown = 6;
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
            : {
                month: next,
                why_not: (await stopsOf(tx, { connection, month: next, nowMs }))[0] ?? null,
              },
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
  return monthAfter(last.month);
}

function monthAfter(month: string): string {
  return new Date(monthOf(month).toMs).toISOString().slice(0, 7);
}

type ClosingOf = { connection: BankConnection; month: string; nowMs: number };

async function stopsOf(db: Runner, { connection, month, nowMs }: ClosingOf): Promise<MonthStop[]> {
  const found = await listClosingRefusals(db, { connection, month, atMs: nowMs });
  return found.map(({ problems: [{ code, message }] }) => ({
    code,
    message,
    cure: refusals[code][2],
  }));
}

/** The months that are not closed, of every connection with statements or files, and all that stops each. Oldest first. */
export async function listOpenMonths(
  { db, seal }: { db: Db; seal: Seal },
  nowMs: number,
): Promise<OpenMonth[]> {
  const thisMonth = new Date(nowMs).toISOString().slice(0, 7);
  const found: OpenMonth[] = [];
  for (const row of await listConnections(db)) {
    const connection = toConnection(row, seal);
    if (!connection) continue;
    await db.transaction(
      async (tx) => {
        const { id } = connection;
        const standing = (await findStandings(tx, { connectionId: id, most: 0 })).get(id);
        const next = await nextMonth(tx, id, standing?.first_day ?? undefined);
        const ofFiles = await firstMonthOfFiles(tx, id);
        // Before the first closing, months with files and no statement are open too.
        const first = ofFiles && ofFiles < (next ?? thisMonth) ? ofFiles : next;
        let month = first;
        for (let shown = 0; month !== undefined && shown < openMonthsShown; shown += 1) {
          // The month that runs is named only where it is the next one to close.
          if (month >= thisMonth && month !== next) break;
          const stops = await stopsOf(tx, { connection, month, nowMs });
          found.push({ connection_id: id, connection_name: row.name, month, stops });
          month = monthAfter(month);
        }
      },
      { snapshot: true },
    );
  }
  return found.sort((one, other) => (one.month < other.month ? -1 : 1));
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
