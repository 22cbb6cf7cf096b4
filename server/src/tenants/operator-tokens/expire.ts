// A token that no second admin has approved in time never works.

import type { Tx } from "../../platform/db/index.ts";
import { type AuditNote, userActorName } from "../audit/index.ts";
import { lockToken, updateTokenRevoked } from "./queries.ts";

/** Undefined if it was decided. */
export async function expireOperatorToken(
  tx: Tx,
  id: string,
  atMs: number,
): Promise<AuditNote | undefined> {
  const token = await lockToken(tx, id);
  if (!token?.awaiting_approval || token.revoked_at) return undefined;
  await updateTokenRevoked(tx, id, atMs);
  const after = { name: token.name, made_by: userActorName(token) };
  return { action: "token.expire", object: { kind: "operator_token", id }, after };
}
