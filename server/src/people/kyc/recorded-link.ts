// A user gets a link for the person. The audit entry is committed before it is shown, and does not contain it.

import { idField, input } from "../../platform/fields/index.ts";
import { type ActBy, type ActParts, call } from "../../tenants/acts/index.ts";
import { recordAct } from "../../tenants/audit/index.ts";
import type { MakePersonLink } from "./person-link.ts";

export const createPersonLink = call({
  name: "receiver.kyc_link",
  summary: "create a link with which the person gives what the identity check needs",
  object: "receiver",
  may: "receivers.write",
  in: "open subaccount",
  doors: ["console", "cli"],
  input: input({ id: idField("CONS110") }),
  async perform(
    { db, seal, makePersonLink }: ActParts & { makePersonLink: MakePersonLink },
    { actor, subaccount }: ActBy,
    { id },
  ) {
    const link = await makePersonLink({ subaccountId: subaccount?.id ?? "", id });
    await db.transaction((tx) =>
      recordAct({ tx, seal }, actor, {
        action: "receiver.kyc_link",
        object: { kind: "receiver", id },
        after: { expires_at: link.expiresAtMs },
      }),
    );
    return { receiver_id: id, ...link };
  },
});
