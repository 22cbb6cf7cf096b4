// A user erases a receiver, or downloads everything about one person. The audit's entry is committed with it.

import type { Actor } from "../../audit/actor.ts";
import { audited } from "../../audit/audited.ts";
import { type Erased, eraseReceiver } from "../../privacy/erase.ts";
import { exportPerson } from "../../privacy/export-person.ts";
import type { ReceiverKey } from "../../receivers/queries.ts";
import type { Retention } from "../../retention/table.ts";
import type { WriteParts } from "../write-parts.ts";

type EraseParts = WriteParts & { retention: Retention };

export function eraseForUser(
  { db, seal, clock, retention }: EraseParts,
  key: ReceiverKey,
  actor: Actor,
): Promise<Erased> {
  const object = { kind: "receiver", id: key.id };
  const erasing = { who: actor.who, atMs: clock(), retention };
  return audited({ db, seal }, actor).transaction({ action: "receiver.erase", object }, (tx) =>
    eraseReceiver({ tx, seal }, key, erasing),
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
