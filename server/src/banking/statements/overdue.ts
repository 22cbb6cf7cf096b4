// What the books have and no statement shows after some banking days: files that the bank has not debited, and money that it
// never had.

import { addBankingDays } from "../../../../packages/bank-formats/src/calendars/index.ts";
import type { Runner } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { BankConnection } from "../connections/index.ts";
import { listUnpaidBatches } from "./exception-queries.ts";
import { findPosition, type InTransit } from "./position.ts";
import { findUnsettled } from "./position-queries.ts";

export type OverdueItem = {
  /** batch: a file that was not debited. transit: money in the books. */
  kind: "batch" | "transit";
  item: string;
  day: string;
  amount: bigint;
  text: string;
};

/** By the last statement: without statements, nothing is expected of them. */
export async function listOverdue(db: Runner, connection: BankConnection): Promise<OverdueItem[]> {
  const { id: connectionId, calendar } = connection;
  const { inTransit, statement } = await findPosition(db, { connection, toDay: lastDay });
  if (!statement) return [];
  const { to_day: toDay } = statement;
  const isOverdue = (day: string) =>
    day !== "" && addBankingDays(calendar, day, limits.bankOverdueDays) <= toDay;
  const limit = limits.suspenseListedMax;
  const unpaid = await listUnpaidBatches(db, { connectionId, toDay, limit });
  const batches = unpaid
    .filter(({ process_date }) => isOverdue(process_date))
    .map(
      ({ id, process_date, file_name, amount }): OverdueItem => ({
        kind: "batch",
        item: `batch:${id}`,
        day: process_date,
        amount: -BigInt(amount),
        text: file_name,
      }),
    );
  const listed = new Set(batches.map(({ item }) => item));
  const late = inTransit.filter((one) => isOverdue(one.lastDay) && !listed.has(one.item));
  return [...batches, ...(await withoutUnsettled(db, late.slice(0, limit)))];
}

const lastDay = "9999-12-31";
const idOf = ({ item }: InTransit) => item.slice(item.indexOf(":") + 1);

/** Lines of statements are open until a user explains them, and a file that was debited may wait for its payouts' outcome. */
async function withoutUnsettled(db: Runner, items: readonly InTransit[]): Promise<OverdueItem[]> {
  const isBatch = ({ item }: InTransit) => item.startsWith("batch:");
  const waiting = await findUnsettled(db, items.filter(isBatch).map(idOf));
  return items
    .filter((one) => /^(transfer|report|batch):/.test(one.item))
    .filter((one) => !(isBatch(one) && waiting.has(idOf(one))))
    .map(({ item, day, amount, text }) => ({ kind: "transit", item, day, amount, text }));
}
