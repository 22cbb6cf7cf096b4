// A user says who looks after an exception, and what was found out.

import { addExceptionNote, listExceptions } from "../../../banking/statements/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { type Actor, audited } from "../../../tenants/audit/index.ts";
import { findConnection } from "../banks/connections.ts";
import type { WriteParts } from "../write-parts.ts";

type ExceptionNoted = { connectionId: string; item: string; owner: string; note: string };

export async function noteException(
  { db, seal, clock }: WriteParts,
  actor: Actor,
  { connectionId, item, owner, note }: ExceptionNoted,
): Promise<void> {
  const connection = await findConnection({ db, seal }, connectionId);
  const atMs = clock();
  const object = { kind: "bank_exception", id: item };
  await audited({ db, seal }, actor).transaction(
    { action: "exception.note", object, after: { owner } },
    async (tx) => {
      const known = await listExceptions(tx, connection, atMs);
      if (!known.some((one) => one.item === item)) throw new Refusal("CONS110");
      await addExceptionNote(tx, item, { owner, note, atMs, who: actor.who });
    },
  );
}
