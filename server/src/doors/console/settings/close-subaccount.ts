// A user closes a subaccount, and confirms it by typing its name.

import { problem, Refusal } from "../../../platform/refusals/index.ts";
import type { Retention } from "../../../platform/retention/index.ts";
import { audited } from "../../../tenants/audit/index.ts";
import { endSubaccount, findSubaccount } from "../../../tenants/subaccounts/index.ts";
import type { SubaccountAccess } from "../route.ts";
import type { WriteParts } from "../write-parts.ts";
import type { Settings } from "./schema.ts";
import { readSettings } from "./settings.ts";

export function closeConsoleSubaccount(
  { db, seal, retention }: WriteParts & { retention: Retention },
  { actor, subaccount: { id } }: SubaccountAccess,
  typedName: string,
): Promise<Settings> {
  const entry = { action: "subaccount.close", object: { kind: "subaccount", id } };
  return audited({ db, seal }, actor).transaction(entry, async (tx) => {
    const name = (await findSubaccount(tx, id))?.wire.suba_name;
    if (typedName !== name?.trim()) throw new Refusal([problem("CONS708", "name")]);
    if (!(await endSubaccount(tx, id))) throw new Refusal("CONS701");
    return readSettings(tx, id, retention);
  });
}
