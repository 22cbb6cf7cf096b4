// Where the books of a bank connection stand against its statements: the difference, and the items that explain it.

import type { Runner } from "../../db/connect.ts";
import type { ChainProblem } from "./chain.ts";
import {
  describeItems,
  findClosingBefore,
  listClosingItems,
  type PositionSpan,
  sumBooked,
  sumOnStatements,
} from "./position-queries.ts";
import type { StatementRow } from "./queries.ts";
import { loadChain } from "./to-chained.ts";

export type InTransit = {
  item: string;
  /** The books less the statements. */
  amount: bigint;
  day: string;
  text: string;
};

export type BankPosition = {
  /** The ledger account `bank` of the connection. */
  books: bigint;
  /** The closing balance of the last statement. Undefined: there is no statement with balances. */
  bank: bigint | undefined;
  statement: StatementRow | undefined;
  inTransit: InTransit[];
  /** The books less the bank less all items: 0 unless statements are missing or do not add up. */
  unexplained: bigint;
  problems: ChainProblem[];
};

type PositionRequest = {
  connection: { id: string; rail: string };
  /** Up to the end of this day, YYYY-MM-DD; its month is the one that closes. */
  toDay: string;
};

/** In one snapshot. */
export async function findPosition(
  db: Runner,
  { connection, toDay }: PositionRequest,
): Promise<BankPosition> {
  const before = await findClosingBefore(db, connection.id, toDay.slice(0, 7));
  const afterDay = before ? monthEndOf(before.month) : "";
  const { statements, problems } = await loadChain(db, connection.id, { toDay });
  const span: PositionSpan = {
    rail: connection.rail,
    connectionId: connection.id,
    afterDay,
    toDay,
    fromMs: before ? endOf(afterDay) : 0,
    toMs: endOf(toDay),
  };
  const sums = new Map<string, bigint>();
  const add = (item: string, amount: bigint) => sums.set(item, (sums.get(item) ?? 0n) + amount);
  const booked = await sumBooked(db, span);
  for (const { item, amount } of booked) add(item, BigInt(amount));
  for (const { item, amount } of await sumOnStatements(db, span)) add(item, -BigInt(amount));
  const carried = before ? await listClosingItems(db, connection.id, before.month) : [];
  for (const { item, amount } of carried) add(item, BigInt(amount));
  const opening = before ? undefined : openingOf(statements);
  if (opening) add(opening.item, -opening.amount);

  const books = booked.reduce(
    (sum, { amount }) => sum + BigInt(amount),
    BigInt(before?.books ?? 0),
  );
  const last = statements.findLast(({ closing }) => closing !== null);
  const bank = last ? BigInt(last.closing as string) : undefined;
  const open = [...sums].filter(([, amount]) => amount !== 0n);
  const words = await describeItems(
    db,
    open.map(([item]) => item),
    connection.rail,
  );
  const inTransit = open
    .map(([item, amount]) => ({ item, amount, ...(words.get(item) ?? unnamed(item, statements)) }))
    .sort((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0));
  const explained = inTransit.reduce((sum, { amount }) => sum + amount, 0n);
  return {
    books,
    bank,
    statement: last,
    inTransit,
    unexplained: books - (bank ?? 0n) - explained,
    problems,
  };
}

/** What was at the bank before the first statement is an item too, until it is taken into the books. */
function openingOf(statements: readonly StatementRow[]) {
  const first = statements.find(({ opening }) => opening !== null);
  if (!first) return undefined;
  return { item: `opening:${first.id}`, amount: BigInt(first.opening as string) };
}

function unnamed(item: string, statements: readonly StatementRow[]) {
  const [first] = statements;
  const isOpening = item.startsWith("opening:");
  return {
    day: isOpening ? (first?.from_day ?? "") : "",
    text: isOpening ? "opening balance of the first statement" : item,
  };
}

export function monthEndOf(month: string): string {
  const [year, number] = month.split("-").map(Number) as [number, number];
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

function endOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) + 86_400_000;
}
