// A user decides about statement lines, with a reason. Much live money waits for a second user.

import { decideOrRequest } from "../../../banking/requests/index.ts";
import type { Actor } from "../../../tenants/audit/index.ts";
import type { WriteParts } from "../write-parts.ts";
import { type LineAct, type LinesInput, lineDecisions } from "./decision.ts";

/** All lines or none. Returns the request, if a second user has to confirm it. */
export function decideLines(
  parts: WriteParts,
  actor: Actor,
  about: Omit<LinesInput, "decision">,
  decision: LineAct,
): Promise<string | undefined> {
  return decideOrRequest(parts, actor, lineDecisions, { ...about, decision });
}
