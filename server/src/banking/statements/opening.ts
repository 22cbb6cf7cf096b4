// The balance before the first statement becomes the company's money in the books.

import type { Tx } from "../../platform/db/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { lockConnection, railIdOf } from "../connections/index.ts";
import { type BankDecision, summaryOf } from "../requests/index.ts";
import { findOpening, takeOpeningBalance } from "./close-month.ts";

type OpeningInput = { connectionId: string };

/** `onTaken` gets the amount, which is below zero for an overdraft. */
export const openingDecision = (
  onTaken?: (amount: bigint) => void,
): BankDecision<OpeningInput> => ({
  kind: "opening",
  async factsOf(tx, { connectionId }) {
    const connection = await lockOne(tx, connectionId);
    const { statementId, amount } = await findOpening(tx, connection);
    const { mode, currency } = connection.row;
    // An overdraft is as much money as a balance.
    const size = amount < 0n ? -amount : amount;
    return {
      connectionId,
      objectId: connectionId,
      mode,
      state: `${statementId} ${amount}`,
      needs: { currency, amount: size, subaccountId: undefined },
      summary: summaryOf("opening", { currency, amount, count: 1 }),
    };
  },
  async apply(tx, { connectionId }, { who, atMs }) {
    const connection = await lockOne(tx, connectionId);
    const amount = await takeOpeningBalance(tx, { connection, who, atMs });
    onTaken?.(amount);
    return {
      action: "bank-opening.take",
      object: { kind: "bank_connection", id: connectionId },
      after: { amount },
    };
  },
});

async function lockOne(tx: Tx, id: string) {
  const row = await lockConnection(tx, id);
  if (!row) throw new Refusal("BANK102");
  return { id, rail: railIdOf(id), row };
}
