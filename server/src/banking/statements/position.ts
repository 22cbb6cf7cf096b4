// Where the books of a bank connection stand against its statements: the difference, and the items that explain it.

import type { Runner } from "../../platform/db/index.ts";
import type { ChainProblem } from "./chain.ts";
import {
  describeItems,
  findClosingBefore,
  listClosingItems,
  type PositionSpan,
  sumBooked,
  sumOnStatements,
  sumOpenings,
} from "./position-queries.ts";
import type { StatementRow } from "./queries.ts";
import { loadChain } from "./to-chained.ts";

export type InTransit = {
  item: string;
  /** The books less the statements. */
  amount: bigint;
  day: string;
  /** Of its last movement, in the books or on a statement. */
  lastDay: string;
  text: string;
};

export type BankPosition = {
  /** The ledger account `bank` of the connection. */
  books: bigint;
  /** The closing balance of the last statement. Undefined: there is no statement with balances. */
  bank: bigint | undefined;
  statement: StatementRow | undefined;
  inTransit: InTransit[];
  /** What was at the bank before the first statement, while it is not in the books: a user has to say whose it is. */
  opening: { statementId: string; amount: bigint } | undefined;
  /** The books less the bank less all items: 0 unless statements are missing, do not add up, or began with a balance. */
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
  const sums = new Map<string, { amount: bigint; lastDay: string }>();
  const add = (item: string, amount: bigint, day = "") => {
    const sum = sums.get(item) ?? { amount: 0n, lastDay: "" };
    const lastDay = day > sum.lastDay ? day : sum.lastDay;
    sums.set(item, { amount: sum.amount + amount, lastDay });
  };
  const first = before ? undefined : firstOf(statements);
  // A statement of an earlier day may have come after the balance was taken.
  const nameOf = (item: string) =>
    first && item.startsWith("opening:") ? `opening:${first.id}` : item;
  const booked = await sumBooked(db, span);
  for (const { item, amount, last_day } of booked) add(nameOf(item), BigInt(amount), last_day);
  for (const { item, amount, last_day } of await sumOnStatements(db, span)) {
    add(item, -BigInt(amount), last_day);
  }
  const carried = before ? await listClosingItems(db, connection.id, before.month) : [];
  for (const { item, amount } of carried) add(item, BigInt(amount));
  const opening = first && (await takeOpeningOf(db, connection, { first, sums }));

  const books = booked.reduce(
    (sum, { amount }) => sum + BigInt(amount),
    BigInt(before?.books ?? 0),
  );
  const last = statements.findLast(({ closing }) => closing !== null);
  const bank = last ? BigInt(last.closing as string) : undefined;
  const open = [...sums].filter(([, { amount }]) => amount !== 0n);
  const words = await describeItems(
    db,
    open.map(([item]) => item),
    connection.rail,
  );
  const inTransit = open
    .map(([item, { amount, lastDay }]) => {
      const { day, text } = words.get(item) ?? unnamed(item, statements);
      return { item, amount, day, lastDay: lastDay || day, text };
    })
    .sort((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0));
  const explained = inTransit.reduce((sum, { amount }) => sum + amount, 0n);
  return {
    books,
    bank,
    statement: last,
    inTransit,
    opening,
    unexplained: books - (bank ?? 0n) - explained,
    problems,
  };
}

function firstOf(statements: readonly StatementRow[]): StatementRow | undefined {
  return statements
    .filter(({ opening }) => opening !== null)
    .reduce<StatementRow | undefined>(
      (first, one) => (first && first.from_day <= one.from_day ? first : one),
      undefined,
    );
}

/** The opening balance is in transit where it was taken into the books later; until it is taken, nothing explains it. */
async function takeOpeningOf(
  db: Runner,
  { rail }: PositionRequest["connection"],
  { first, sums }: { first: StatementRow; sums: Map<string, { amount: bigint; lastDay: string }> },
): Promise<BankPosition["opening"]> {
  const item = `opening:${first.id}`;
  const { amount = 0n, lastDay = "" } = sums.get(item) ?? {};
  const given = BigInt(first.opening as string);
  sums.delete(item);
  if (amount === given) return undefined;
  const taken = await sumOpenings(db, rail);
  if (taken === given) {
    sums.set(item, { amount: amount - given, lastDay });
    return undefined;
  }
  // Of what was taken before, only the rest is missing.
  sums.set(item, { amount: amount - taken, lastDay });
  return { statementId: first.id, amount: given - taken };
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
