// The statement of a balance: opening balance, one line for each movement with the balance after it, closing balance.

import type { Db } from "../db/connect.ts";
import { limits } from "../limits.ts";
import {
  findLastNumberBefore,
  findTotalAt,
  listMovements,
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
    return toMovement(row, { balance: running, date: isoDay(atMs) });
  });
}

function toMovement(row: MovementRow, rest: Pick<Movement, "balance" | "date">): Movement {
  return {
    ...rest,
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
