// A user requests the erasure of a receiver, which another one approves.

import { requireErasable } from "../../../people/privacy/index.ts";
import { idTimeMs, newId } from "../../../platform/base/index.ts";
import { idField, input } from "../../../platform/fields/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import type { Retention } from "../../../platform/retention/index.ts";
import { act, type Doing } from "../../../tenants/acts/index.ts";
import { findWaitingRequest, insertChangeRequest } from "../../../tenants/four-eyes/index.ts";

/** Returns the id of the request. What would refuse the erasure refuses the request already. */
export const requestErasure = act({
  name: "receiver.erase_ask",
  summary: "request the erasure of a receiver, which another user approves",
  object: "receiver",
  may: "receivers.privacy",
  stepUp: true,
  in: "subaccount",
  doors: ["console"],
  input: input({ id: idField("CONS110") }),
  async run({ tx, who, atMs, subaccount, retention }: Doing & { retention: Retention }, { id }) {
    const subaccountId = subaccount.id;
    // It locks the receiver, so that two users don't both request it.
    if (!(await requireErasable(tx, { subaccountId, id }, { atMs, retention }))) {
      throw new Refusal("REVR306");
    }
    const about = { subaccountId, kind: "erasure", objectId: id } as const;
    if (await findWaitingRequest(tx, about)) throw new Refusal("CONS412");
    const result = newId();
    const asked = { madeBy: who, madeAtMs: idTimeMs(result) };
    // Without a word of the person: an erasure leaves the request as it is.
    await insertChangeRequest(tx, { ...about, id: result, before: {}, after: {}, ...asked });
    return { result, id };
  },
});
