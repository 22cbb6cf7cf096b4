// A user closes a month of a bank connection. The closing is kept as a document.

import { requireConnection } from "../../../banking/connections/index.ts";
import { type ClosingRow, closeBankMonth } from "../../../banking/statements/index.ts";
import { type Actor, audited } from "../../../tenants/audit/index.ts";
import type { WriteParts } from "../write-parts.ts";
import { presentClosing } from "./closings.ts";
import type { BankClosing } from "./schema.ts";

export async function closeBankMonthByUser(
  { db, seal, clock }: WriteParts,
  actor: Actor,
  { connectionId, month }: { connectionId: string; month: string },
): Promise<BankClosing> {
  const connection = await requireConnection({ db, seal }, connectionId);
  const row = await audited({ db, seal }, actor).transaction<ClosingRow>(
    ({ books, bank, pdf_sha256 }) => ({
      action: "bank-month.close",
      object: { kind: "bank_connection", id: connection.id },
      after: { month, books, bank, pdf_sha256 },
    }),
    (tx) => closeBankMonth(tx, { connection, month, who: actor.who, atMs: clock() }),
  );
  return presentClosing(row, connection.row.name);
}
