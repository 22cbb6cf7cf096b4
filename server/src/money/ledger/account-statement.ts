// The statement of a balance: opening balance, one line for each movement with the balance after it, closing balance.

import type { Db } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import {
  findLastNumberBefore,
  findTotalAt,
  listMovements,
  listMovementsBack,
  type MovementRow,
  type NumberRange,
} from "./movement-queries.ts";
import { movementSign, movementText } from "./movements.ts";
import type { BalanceKey } from "./queries.ts";
import { isoDay, type StatementPeriod } from "./statement-period.ts";

export type LedgerStatement = {
  key: BalanceKey;
  period: StatementPeriod;
  range: NumberRange;
  opening: bigint;
  closing: bigint;
};

export type Movement = {
  number: bigint;
  id: string;
  atMs: number;
  /** The UTC day on which the ledger has it. */
  date: string;
  kind: MovementRow["kind"];
  description: string;
  /** The receiver of a payout, or who paid in; empty where it is not known. */
  party: string;
  reference: string;
  payoutId: string | null;
  /** Above zero: money came in. */
  amount: bigint;
  balance: bigint;
};

export async function openStatement(
  db: Db,
  key: BalanceKey,
  period: StatementPeriod,
): Promise<LedgerStatement> {
  const after = await findLastNumberBefore(db, key, period.fromMs);
  const upTo = await findLastNumberBefore(db, key, period.toMs);
  const opening = await findTotalAt(db, key, after);
  const closing = await findTotalAt(db, key, upTo);
  return { key, period, range: { after, upTo }, opening, closing };
}

/** Where to read on: after this transfer, whose balance is known. */
type Place = { after: bigint; balance: bigint };

export async function readMovements(
  db: Db,
  { key, range, period }: LedgerStatement,
  { after, balance, limit }: Place & { limit: number },
): Promise<Movement[]> {
  const rows = await listMovements(db, key, { after, upTo: range.upTo, limit });
  let running = balance;
  return rows.map((row) => {
    running += BigInt(movementSign(row.kind)) * BigInt(row.amount);
    // The clocks of two processes differ: a transfer after the first one of a day belongs to that day.
    const atMs = Math.max(period.fromMs, Number(row.created_at_ms));
    return toMovement(row, { balance: running, atMs });
  });
}

/** The newest line of a page, and the balance after it. */
type PlaceBack = { number: bigint; balance: bigint };

/**
 * A page of movements, newest first. Most transfers are no movements, so a page reads a bounded number of transfers: it
 * may be short, or empty, and yet have a next one.
 */
export async function readMovementsBack(
  db: Db,
  { key, range, period }: LedgerStatement,
  { number: upTo, balance, limit }: PlaceBack & { limit: number },
): Promise<{ movements: Movement[]; next: PlaceBack | undefined }> {
  const lowest = upTo - BigInt(limits.balanceLinesScanned);
  const after = lowest > range.after ? lowest : range.after;
  const rows = await listMovementsBack(db, key, { after, upTo, limit: limit + 1 });
  let running = balance;
  const movements = rows.slice(0, limit).map((row) => {
    const atMs = Math.max(period.fromMs, Number(row.created_at_ms));
    const movement = toMovement(row, { balance: running, atMs });
    running -= movement.amount;
    return movement;
  });
  const rest = rows[limit];
  const number = rest ? BigInt(rest.number) : after;
  const isEnd = number <= range.after;
  return { movements, next: isEnd ? undefined : { number, balance: running } };
}

function toMovement(row: MovementRow, rest: Pick<Movement, "balance" | "atMs">): Movement {
  return {
    ...rest,
    date: isoDay(rest.atMs),
    number: BigInt(row.number),
    id: row.id,
    kind: row.kind,
    description: movementText(row.kind),
    party: row.receiver || row.payer || "",
    // The reference of a return is the bank's reason; people look for their own reference of the payout.
    reference: row.payout_reference ?? row.bank_reference ?? row.reference,
    payoutId: row.payout_id,
    amount: BigInt(movementSign(row.kind)) * BigInt(row.amount),
  };
}

/** All movements, in pages, oldest first. Throws if they do not lead from the opening to the closing balance. */
export async function* statementPages(
  db: Db,
  statement: LedgerStatement,
): AsyncGenerator<Movement[]> {
  const limit = limits.listMax;
  let place: Place = { after: statement.range.after, balance: statement.opening };
  for (;;) {
    const page = await readMovements(db, statement, { ...place, limit });
    const last = page.at(-1);
    if (last) {
      yield page;
      place = { after: last.number, balance: last.balance };
    }
    if (page.length < limit) break;
  }
  if (place.balance !== statement.closing) {
    throw new Error("a statement does not add up; run `disburse ledger verify`");
  }
}
