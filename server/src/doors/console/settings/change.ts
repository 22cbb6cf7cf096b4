// A user changes the settings of a subaccount.

import type { AddressPolicy } from "../../../platform/addresses/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import type { Retention } from "../../../platform/retention/index.ts";
import { audited } from "../../../tenants/audit/index.ts";
import { changeSubaccount } from "../../../webhooks/webhook-endpoints/index.ts";
import type { SubaccountAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import type { ProfileChange, Settings } from "./schema.ts";
import { readSettings } from "./settings.ts";

export type SettingsParts = WriteParts & { addresses: AddressPolicy; retention: Retention };

export function changeSettings(
  { db, seal, clock, addresses, retention }: SettingsParts,
  { actor, subaccount: { id } }: SubaccountAccess,
  change: ProfileChange,
): Promise<Settings> {
  const fields = Object.keys(change).sort();
  if (fields.length === 0) throw new Refusal("SUBA213");
  const entry = {
    action: "subaccount.change",
    object: { kind: "subaccount", id },
    after: { fields },
  };
  return audited({ db, seal }, actor).transaction(entry, async (tx) => {
    await changeSubaccount({ tx, seal }, id, change, { addresses, nowMs: clock() });
    return readSettings(tx, id, retention);
  });
}
