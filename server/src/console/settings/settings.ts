// The settings of a subaccount, as the console shows them.

import type { Runner } from "../../db/connect.ts";
import { limits } from "../../limits.ts";
import { Refusal } from "../../refusals/refusals.ts";
import type { Retention } from "../../retention/table.ts";
import { findSubaccount } from "../../subaccounts/queries.ts";
import type { Settings } from "./schema.ts";

export async function readSettings(
  db: Runner,
  id: string,
  retention: Retention,
): Promise<Settings> {
  const found = await findSubaccount(db, id);
  if (!found) throw new Refusal("CONS105");
  return {
    profile: found.wire,
    mode: found.mode,
    closed_at: found.closedAt?.getTime() ?? null,
    kept: { event_days: retention.events, attempt_days: limits.attemptKeptDays },
  };
}
