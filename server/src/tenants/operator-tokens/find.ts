// Finds the session of a request with an operator token. It is read for each request, so that a token that was revoked,
// and one whose maker is no longer an admin, is refused at once.

import { isInRanges, toRange } from "../../platform/addresses/index.ts";
import type { Runner } from "../../platform/db/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import type { Session } from "../roles/index.ts";
import { findToken, type TokenRow } from "./queries.ts";
import { secretHashOf } from "./token.ts";

/** Undefined: it works. */
export function endedBecause(
  { revoked_at, expires_at, is_of_admin }: TokenRow,
  nowMs: number,
): string | undefined {
  if (!is_of_admin) return "the user who made it is no admin any more";
  if (revoked_at) return "it was revoked";
  return expires_at.getTime() <= nowMs ? "it has expired" : undefined;
}

export async function findTokenSession(
  db: Runner,
  { text, ip, nowMs }: { text: string; ip: string; nowMs: number },
): Promise<Session> {
  const secretHash = secretHashOf(text);
  const row = secretHash && (await findToken(db, { secretHash, nowMs }));
  if (!row) throw new Refusal("OPER101");
  const reason = endedBecause(row, nowMs);
  if (reason) throw new Refusal("OPER102", { message: `The token has ended: ${reason}` });
  if (row.awaiting_approval) throw new Refusal("OPER103");
  if (!isInRanges(ip, row.addresses.map(toRange))) throw new Refusal("OPER104");
  const { id, name, role, email, user_id, user_name } = row;
  const subaccountIds = row.subaccount_ids ?? undefined;
  return {
    id,
    user: { id: user_id, name: user_name, email, role, subaccountIds },
    // A second admin has agreed to it, instead of a password at each act.
    provenAtMs: nowMs,
    token: { name },
  };
}
