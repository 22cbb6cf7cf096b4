// A user decides about a suspense item, with a reason. Much live money waits for a second user.

import { findSuspense } from "../../../banking/answers/index.ts";
import { decideOrRequest } from "../../../banking/requests/index.ts";
import type { Actor } from "../../../tenants/audit/index.ts";
import type { WriteParts } from "../write-parts.ts";
import { type SuspenseDecision, suspenseDecisions } from "./decision.ts";

/** Returns the item's status, and the request if a second user has to confirm it. */
export async function decideSuspense(
  parts: WriteParts,
  actor: Actor,
  about: { id: string; reason: string },
  decision: SuspenseDecision,
): Promise<{ status: string; request_id: string | null }> {
  const requestId = await decideOrRequest(parts, actor, suspenseDecisions, { ...about, decision });
  const { status = "" } = (await findSuspense(parts.db, about.id)) ?? {};
  return { status, request_id: requestId ?? null };
}
