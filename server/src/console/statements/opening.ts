// A user takes the balance before the first statement into the books, as the company's money.

import type { Actor } from "../../audit/actor.ts";
import { audited } from "../../audit/audited.ts";
import { takeOpeningBalance } from "../../banks/statements/close-month.ts";
import { toSum } from "../../money.ts";
import { findConnection } from "../banks/connections.ts";
import type { Sum } from "../fields.ts";
import type { WriteParts } from "../write-parts.ts";

export async function takeOpeningByUser(
  { db, seal, clock }: WriteParts,
  actor: Actor,
  connectionId: string,
): Promise<{ amount: Sum; currency: string }> {
  const connection = await findConnection({ db, seal }, connectionId);
  const amount = await audited({ db, seal }, actor).transaction<bigint>(
    (taken) => ({
      action: "bank-opening.take",
      object: { kind: "bank_connection", id: connection.id },
      after: { amount: taken },
    }),
    (tx) => takeOpeningBalance(tx, { connection, who: actor.who, atMs: clock() }),
  );
  return { amount: toSum(amount), currency: connection.row.currency };
}
