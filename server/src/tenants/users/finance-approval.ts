// Two admins allow the role finance to approve: one requests it, another approves. One admin can revoke it.

import Type from "typebox";
import type { Tx } from "../../platform/db/index.ts";
import { input, required } from "../../platform/fields/index.ts";
import { act } from "../acts/index.ts";
import type { AuditNote } from "../audit/index.ts";
import { requireOtherUser } from "../four-eyes/index.ts";
import { lockFinanceApproval, updateFinanceApproval } from "../user-records/index.ts";
import { ofOtherUsers } from "./other-user.ts";

const object = { kind: "role", id: "finance" };

export const allowFinance = act({
  ...ofOtherUsers,
  name: "people.finance_approval",
  tokens: "logins",
  summary: "let users of finance approve, or no longer",
  object: object.kind,
  twoPeople: "Let users of finance approve",
  doors: ["console"],
  input: input({ allowed: required(Type.Boolean()) }),
  async run({ tx, who, atMs }, { allowed }) {
    const { asked_at_ms: _, ...before } = await lockFinanceApproval(tx);
    if (allowed && before.may_approve) return { result: undefined, id: undefined };
    const { asked_by } = before;
    const isSecond = allowed && asked_by !== null;
    if (isSecond) await requireOtherUser(tx, [asked_by], { who });
    const after = { may_approve: isSecond, asked_by: allowed && !isSecond ? who : null };
    await updateFinanceApproval(tx, after, atMs);
    return { result: undefined, id: object.id, before, after };
  },
});

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
