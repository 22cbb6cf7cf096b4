// What users and commands do about the data of a person.

import Type from "typebox";
import { idTimeMs, newId } from "../../platform/base/index.ts";
import { idField, input, required } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import type { Retention } from "../../platform/retention/index.ts";
import { type ActBy, type ActParts, act, call, type Doing } from "../../tenants/acts/index.ts";
import { recordAct } from "../../tenants/audit/index.ts";
import { findWaitingRequest, insertChangeRequest } from "../../tenants/four-eyes/index.ts";
import { eraseReceiver, requireErasable } from "./erase.ts";
import type { ErasureRow } from "./erasure-queries.ts";
import { applyErasures } from "./journal.ts";

/** Returns the id of the request. What would refuse the erasure refuses the request already. */
export const requestErasure = act({
  name: "receiver.erase_ask",
  summary: "request the erasure of a receiver, which waits for approval",
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

export const applyJournal = call({
  name: "erasures.apply",
  summary: "erase the receivers of a journal again, in a restored backup",
  object: "erasures",
  may: "receivers.privacy",
  doors: ["cli"],
  input: input({ rows: required(Type.Array(Type.Unsafe<ErasureRow>({}))) }),
  /** Each receiver is erased in a transaction of its own. */
  async perform({ db, seal }: ActParts, { actor }: ActBy, { rows }) {
    const applied = await applyErasures({ db, seal }, rows);
    const object = { kind: "erasures", id: String(rows.length) };
    const entry = { action: "erasures.apply", object, after: applied };
    await db.transaction((tx) => recordAct({ tx, seal }, actor, entry));
    return applied;
  },
});
