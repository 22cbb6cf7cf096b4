// Two admins allow the role finance to approve: one requests it, another approves. One admin can revoke it.

import type { Tx } from "../../../platform/db/index.ts";
import { type Actor, type AuditNote, audited } from "../../../tenants/audit/index.ts";
import { requireOtherUser } from "../../../tenants/four-eyes/index.ts";
import {
  type FinanceApproval,
  lockFinanceApproval,
  updateFinanceApproval,
} from "../../../tenants/user-records/index.ts";
import type { WriteParts } from "../write-parts.ts";

const object = { kind: "role", id: "finance" };

type Change = { before: FinanceApproval; after: FinanceApproval };

export async function allowFinance(
  parts: WriteParts,
  actor: Actor,
  allowed: boolean,
): Promise<void> {
  await audited(parts, actor).transaction<Change | undefined>(
    (change) =>
      change && {
        action: "people.finance_approval",
        object,
        ...change,
      },
    async (tx) => {
      const { asked_at_ms: _, ...before } = await lockFinanceApproval(tx);
      if (allowed && before.may_approve) return undefined;
      const { asked_by } = before;
      const isSecond = allowed && asked_by !== null;
      if (isSecond) await requireOtherUser(tx, [asked_by], { who: actor.who });
      const after = { may_approve: isSecond, asked_by: allowed && !isSecond ? actor.who : null };
      await updateFinanceApproval(tx, after, parts.clock());
      return { before, after };
    },
  );
}

/** No second admin has approved it in time. Undefined if it was decided, or asked again. */
export async function expireFinanceRequest(
  tx: Tx,
  { beforeMs, atMs }: { beforeMs: number; atMs: number },
): Promise<AuditNote | undefined> {
  const { may_approve, asked_by, asked_at_ms } = await lockFinanceApproval(tx);
  if (asked_by === null || Number(asked_at_ms) > beforeMs) return undefined;
  await updateFinanceApproval(tx, { may_approve, asked_by: null }, atMs);
  return { action: "people.expire_finance_approval", object, after: { made_by: asked_by } };
}
