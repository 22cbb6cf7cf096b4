// What commands do about the data of a person.

import { idField, input } from "../../platform/fields/index.ts";
import type { Retention } from "../../platform/retention/index.ts";
import { act, type Doing } from "../../tenants/acts/index.ts";
import { eraseReceiver } from "./erase.ts";

/** At the console, one user requests it and another one approves. */
export const eraseReceiverNow = act({
  name: "receiver.erase",
  summary: "overwrite every word about a receiver, for good",
  object: "receiver",
  may: "receivers.privacy",
  in: "subaccount",
  doors: ["cli"],
  input: input({ id: idField("CONS110") }),
  async run(doing: Doing & { retention: Retention }, { id }) {
    const key = { subaccountId: doing.subaccount.id, id };
    return { result: { id, ...(await eraseReceiver(doing, key, doing)) }, id };
  },
});
