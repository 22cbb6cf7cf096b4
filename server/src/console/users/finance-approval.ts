// Two admins let the role finance approve: one asks, another agrees. One alone can take it back.

import { type Recording, recordAct } from "../../audit/record.ts";
import { lockFinanceApproval, updateFinanceApproval } from "../../users/finance-queries.ts";
import { requireOtherUser } from "../../users/four-eyes.ts";
import type { UserActor } from "../../users/user.ts";

export async function allowFinance(
  recording: Recording,
  allowed: boolean,
  { nowMs, ...doer }: UserActor & { nowMs: number },
): Promise<void> {
  const { tx } = recording;
  const before = await lockFinanceApproval(tx);
  if (allowed && before.may_approve) return;
  const { asked_by } = before;
  const isSecond = allowed && asked_by !== null;
  if (isSecond) await requireOtherUser(tx, [asked_by], { who: doer.who, atMs: nowMs });
  const after = {
    may_approve: isSecond,
    asked_by: allowed && !isSecond ? doer.who : null,
  };
  await updateFinanceApproval(tx, after);
  await recordAct(recording, {
    ...doer,
    action: "people.finance_approval",
    object: { kind: "role", id: "finance" },
    subaccountId: undefined,
    ...{ before, after },
  });
}
