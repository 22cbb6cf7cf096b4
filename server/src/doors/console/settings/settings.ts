// The settings of a subaccount, as the console shows them.

import type { Runner } from "../../../platform/db/index.ts";
import { limits } from "../../../platform/limits/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import type { Retention } from "../../../platform/retention/index.ts";
import { findReceiptLogo, findSubaccount } from "../../../tenants/subaccounts/index.ts";
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
    needs_second_user: found.needsSecondUser,
    logo_set_at: (await findReceiptLogo(db, id))?.setAtMs ?? null,
    closed_at: found.closedAt?.getTime() ?? null,
    kept: { event_days: retention.events, attempt_days: limits.attemptKeptDays },
  };
}
