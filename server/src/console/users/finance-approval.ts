// Two admins allow the role finance to approve: one requests it, another approves. One admin can revoke it.

import type { Actor } from "../../audit/actor.ts";
import { audited } from "../../audit/audited.ts";
import {
  type FinanceApproval,
  lockFinanceApproval,
  updateFinanceApproval,
} from "../../users/finance-queries.ts";
import { requireOtherUser } from "../../users/four-eyes.ts";
import type { WriteParts } from "../write-parts.ts";

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
        object: { kind: "role", id: "finance" },
        ...change,
      },
    async (tx) => {
      const before = await lockFinanceApproval(tx);
      if (allowed && before.may_approve) return undefined;
      const { asked_by } = before;
      const isSecond = allowed && asked_by !== null;
      if (isSecond) await requireOtherUser(tx, [asked_by], { who: actor.who });
      const after = { may_approve: isSecond, asked_by: allowed && !isSecond ? actor.who : null };
      await updateFinanceApproval(tx, after);
      return { before, after };
    },
  );
}
