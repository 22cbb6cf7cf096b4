// A user says who looks after an exception, and what was found out.

import type { Actor } from "../../audit/actor.ts";
import { audited } from "../../audit/audited.ts";
import { addExceptionNote } from "../../banks/statements/exception-queries.ts";
import { listExceptions } from "../../banks/statements/exceptions.ts";
import { Refusal } from "../../refusals/refusals.ts";
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
