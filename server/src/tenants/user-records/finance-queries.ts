// The SQL of whether the role finance may approve.

import { type Runner, statement, type Tx } from "../../platform/db/index.ts";

/** `asked_at_ms`: null where no user asked. */
export type FinanceApproval = {
  may_approve: boolean;
  asked_by: string | null;
  asked_at_ms: string | null;
};

const columns =
  "finance_may_approve as may_approve, finance_asked_by as asked_by, finance_asked_at_ms as asked_at_ms";

const find = statement<FinanceApproval>("finance-approval", `select ${columns} from installation`);

export async function findFinanceApproval(db: Runner): Promise<FinanceApproval> {
  return (await db.run(find))[0] ?? { may_approve: false, asked_by: null, asked_at_ms: null };
}

const lock = statement<FinanceApproval>(
  "finance-approval-lock",
  `select ${columns} from installation for update`,
);

export async function lockFinanceApproval(tx: Tx): Promise<FinanceApproval> {
  const [row] = await tx.run(lock);
  if (!row) throw new Error("an installation has one row");
  return row;
}

const update = statement<never>(
  "finance-approval-set",
  "update installation set finance_may_approve = $1, finance_asked_by = $2, finance_asked_at_ms = $3",
);

export async function updateFinanceApproval(
  tx: Tx,
  { may_approve, asked_by }: Omit<FinanceApproval, "asked_at_ms">,
  atMs: number,
): Promise<void> {
  await tx.run(update, [may_approve, asked_by, asked_by === null ? null : atMs]);
}
