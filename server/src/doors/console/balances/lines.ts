// The lines of a month of a balance, newest first. The cursor carries the balance at its line, so that every page costs
// the same; it is signed, so that a link can't show a wrong balance.

import {
  type BalanceKey,
  type LedgerStatement,
  type Movement,
  openStatement,
  readMovementsBack,
} from "../../../money/ledger/index.ts";
import { toSum } from "../../../platform/base/index.ts";
import type { ListPage } from "../../../platform/db/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import { problem, Refusal } from "../../../platform/refusals/index.ts";
import { pageSizeOf } from "../../lists/index.ts";
import { readPeriod } from "../reconcile/period.ts";
import type { BalanceParts } from "./balances.ts";
import type { BalanceLine, BalanceLinesQuery } from "./schema.ts";

/** The last line of a page, and the balance after it. */
type Place = { number: bigint; balance: bigint };

export async function readLines(
  { db, seal, clock, rollups }: BalanceParts & { seal: Seal },
  subaccountId: string,
  query: BalanceLinesQuery,
): Promise<ListPage<BalanceLine>> {
  const key = { subaccountId, currency: query.currency };
  const { month } = query;
  const period = readPeriod(month === undefined ? {} : { month }, clock());
  // The lines are right without the roll-ups, but take longer.
  await rollups.catchUp(subaccountId);
  const statement = await openStatement(db, key, period);
  const place = placeOf(seal, statement, query.cursor);
  const limit = pageSizeOf(query);
  const { movements, next } = await readMovementsBack(db, statement, { ...place, limit });
  return { rows: movements.map(present), next: next ? writePlace(seal, key, next) : null };
}

function placeOf(seal: Seal, { key, range, closing }: LedgerStatement, cursor?: string): Place {
  if (cursor === undefined) return { number: range.upTo, balance: closing };
  const place = readPlace(seal, key, cursor);
  const isInside = place && place.number > range.after && place.number <= range.upTo;
  if (!isInside) throw new Refusal([problem("CONS108", "cursor")]);
  return place;
}

function writePlace(seal: Seal, key: BalanceKey, { number, balance }: Place): string {
  return `${number}.${balance}.${markOf(seal, key, `${number}.${balance}`)}`;
}

function readPlace(seal: Seal, key: BalanceKey, cursor: string): Place | undefined {
  const [, text = "", number = "", balance = "", mark] =
    /^((\d{1,18})\.(-?\d{1,25}))\.([\w-]{22})$/.exec(cursor) ?? [];
  if (text === "" || mark !== markOf(seal, key, text)) return undefined;
  return { number: BigInt(number), balance: BigInt(balance) };
}

function markOf(seal: Seal, { subaccountId, currency }: BalanceKey, text: string): string {
  return seal.sign("balance-lines", `${subaccountId} ${currency} ${text}`).slice(0, 22);
}

function present(movement: Movement): BalanceLine {
  const { id, atMs, kind, description, party, reference, payoutId } = movement;
  return {
    id,
    number: Number(movement.number),
    at: atMs,
    ...{ kind, description, party, reference },
    payout_id: payoutId,
    amount: toSum(movement.amount),
    balance: toSum(movement.balance),
  };
}
