// The rows of a file that wait for a new receiver or account. They are kept with what they wait for, and are gone once they are
// paid, by whichever import: the key of a row says whether it is the same.

import type { Db, Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import type { PayoutCreation } from "../payouts/index.ts";
import type { ImportKey } from "./file-import-queries.ts";
import type { Row } from "./import-rows.ts";
import { newPayeesOf, type RowOfNewPayee } from "./new-payees.ts";
import { findPayees } from "./payee-find.ts";
import { payoutRequestOf, rowKeyOf } from "./payout-file.ts";
import {
  deleteWaitingRows,
  findWaitingOfReceivers,
  insertWaitingRows,
  type WaitingOfReceiver,
  type WaitingRowToInsert,
} from "./waiting-row-queries.ts";

const portion = 500;

/** Called once their receivers and accounts are created. Rows of others that the user did not agree to are not kept. */
export async function keepWaitingRows(
  parts: { db: Db; seal: Seal },
  key: ImportKey,
  rows: readonly Row[],
): Promise<void> {
  const inOrder = rows.toSorted((one, other) => one.number - other.number);
  const seen = new Map<string, number>();
  for (let start = 0; start < inOrder.length; start += portion) {
    const page = await findPayees(parts, key.subaccountId, inOrder.slice(start, start + portion));
    const found = await newPayeesOf(parts, key.subaccountId).find(page);
    const toInsert = page.flatMap((row, index): WaitingRowToInsert[] => {
      const waiting = waitsFor(row, found[index]);
      if (!waiting) return [];
      const request = payoutRequestOf(row);
      const { amount, currency, reference } = request;
      const text = JSON.stringify([waiting, amount.toString(), currency, reference]);
      const equalBefore = seen.get(text) ?? 0;
      seen.set(text, equalBefore + 1);
      return [{ number: row.number, request, equalBefore, ...waiting }];
    });
    await insertWaitingRows(parts.db, key, toInsert);
  }
}

type WaitsFor = Pick<WaitingRowToInsert, "receiverId" | "accountId" | "changeId">;

function waitsFor(row: Row, found: RowOfNewPayee | unknown[] | undefined): WaitsFor | undefined {
  if (found === undefined && row.problems.length === 0) {
    const { receiverId, accountId } = payoutRequestOf(row);
    return { receiverId, accountId, changeId: null };
  }
  const receiverId = row.absent?.receiver?.id;
  if (found === undefined || Array.isArray(found) || receiverId === undefined) return undefined;
  const { changeId } = found as RowOfNewPayee;
  return changeId === undefined ? undefined : { receiverId, accountId: null, changeId };
}

/** Rows that wait and may be among these, of all imports. */
export function listWaitingOfReceivers(
  db: Db,
  subaccountId: string,
  creations: readonly PayoutCreation[],
): Promise<WaitingOfReceiver[]> {
  const receiverIds = [...new Set(creations.map(({ request }) => request.receiverId))];
  return findWaitingOfReceivers(db, subaccountId, receiverIds);
}

/** In the transaction that pays them. */
export async function deletePaidRows(
  tx: Tx,
  waiting: readonly WaitingOfReceiver[],
  paid: readonly PayoutCreation[],
): Promise<void> {
  if (waiting.length === 0) return;
  const keys = new Set(paid.map(({ caller }) => caller.idempotency?.key));
  const isPaid = (row: WaitingOfReceiver) => {
    const { receiver_id: receiverId, account_id: accountId, currency, reference } = row;
    const request = { receiverId, accountId, currency, reference, amount: BigInt(row.amount) };
    return keys.has(rowKeyOf(request, row.equal_before).key);
  };
  await deleteWaitingRows(tx, waiting.filter(isPaid));
}
