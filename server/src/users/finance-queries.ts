// The SQL of whether the role finance may approve.

import { type Runner, statement, type Tx } from "../db/connect.ts";

export type FinanceApproval = { may_approve: boolean; asked_by: string | null };

const find = statement<FinanceApproval>(
  "finance-approval",
  "select finance_may_approve as may_approve, finance_asked_by as asked_by from installation",
);

export async function findFinanceApproval(db: Runner): Promise<FinanceApproval> {
  return (await db.run(find))[0] ?? { may_approve: false, asked_by: null };
}

const lock = statement<FinanceApproval>(
  "finance-approval-lock",
  "select finance_may_approve as may_approve, finance_asked_by as asked_by from installation for update",
);

export async function lockFinanceApproval(tx: Tx): Promise<FinanceApproval> {
  const [row] = await tx.run(lock);
  if (!row) throw new Error("an installation has one row");
  return row;
}

const update = statement<never>(
  "finance-approval-set",
  "update installation set finance_may_approve = $1, finance_asked_by = $2",
);

export async function updateFinanceApproval(
  tx: Tx,
  { may_approve, asked_by }: FinanceApproval,
): Promise<void> {
  await tx.run(update, [may_approve, asked_by]);
}
