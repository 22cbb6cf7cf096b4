// A user requests the erasure of a receiver, which another one approves, or downloads everything about one person.
// The audit's entry is committed with it.

import { requireErasable } from "../../../people/privacy/index.ts";
import type { ReceiverKey } from "../../../people/receivers/index.ts";
import { idTimeMs, newId } from "../../../platform/base/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import type { Retention } from "../../../platform/retention/index.ts";
import { type Actor, audited } from "../../../tenants/audit/index.ts";
import { findWaitingRequest, insertChangeRequest } from "../../../tenants/four-eyes/index.ts";
import { exportPerson } from "../../exports/index.ts";
import type { WriteParts } from "../write-parts.ts";

type EraseParts = WriteParts & { retention: Retention };

/** Returns the id of the request. What would refuse the erasure refuses the request already. */
export function requestErasure(
  { db, seal, clock, retention }: EraseParts,
  key: ReceiverKey,
  actor: Actor,
): Promise<string> {
  const object = { kind: "receiver", id: key.id };
  const about = { subaccountId: key.subaccountId, kind: "erasure", objectId: key.id } as const;
  return audited({ db, seal }, actor).transaction(
    { action: "receiver.erase_ask", object },
    async (tx) => {
      // It locks the receiver, so that two users don't both request it.
      if (!(await requireErasable(tx, key, { atMs: clock(), retention }))) {
        throw new Refusal("REVR306");
      }
      if (await findWaitingRequest(tx, about)) throw new Refusal("CONS412");
      const id = newId();
      const asked = { madeBy: actor.who, madeAtMs: idTimeMs(id) };
      // Without a word of the person: an erasure leaves the request as it is.
      await insertChangeRequest(tx, { ...about, id, before: {}, after: {}, ...asked });
      return id;
    },
  );
}

/** Indented, because a person reads it. */
export async function exportForUser(
  { db, seal, clock }: WriteParts,
  key: ReceiverKey,
  actor: Actor,
): Promise<string> {
  const document = await exportPerson({ db, seal }, key, clock());
  const object = { kind: "receiver", id: key.id };
  await audited({ db, seal }, actor).transaction(
    { action: "receiver.export", object },
    async () => {},
  );
  return `${JSON.stringify(document, null, 2)}\n`;
}
