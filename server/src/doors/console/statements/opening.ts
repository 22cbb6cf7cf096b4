// A user takes the balance before the first statement into the books, as the company's money. Much live money waits for a
// second user.

import { lockConnection, railIdOf } from "../../../banking/connections/index.ts";
import { type BankDecision, decideOrRequest, summaryOf } from "../../../banking/requests/index.ts";
import { findOpening, takeOpeningBalance } from "../../../banking/statements/index.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import type { Actor } from "../../../tenants/audit/index.ts";
import type { WriteParts } from "../write-parts.ts";

type OpeningInput = { connectionId: string };

export const openingDecisions: BankDecision<OpeningInput> = {
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
    return {
      action: "bank-opening.take",
      object: { kind: "bank_connection", id: connectionId },
      after: { amount },
    };
  },
};

async function lockOne(tx: Tx, id: string) {
  const row = await lockConnection(tx, id);
  if (!row) throw new Refusal("BANK102");
  return { id, rail: railIdOf(id), row };
}

/** Returns the request, if a second user has to confirm it. */
export function takeOpeningByUser(
  parts: WriteParts,
  actor: Actor,
  connectionId: string,
): Promise<string | undefined> {
  return decideOrRequest(parts, actor, openingDecisions, { connectionId });
}
