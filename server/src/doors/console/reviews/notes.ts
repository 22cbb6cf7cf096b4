// A reviewer asks about a case: a note for the users of the subaccount, or for other reviewers only.

import type { ReceiverKey } from "../../../people/receivers/index.ts";
import { audited, type UserActor } from "../../../tenants/audit/index.ts";
import type { ReviewNote } from "../../review-list/index.ts";
import type { WriteParts } from "../write-parts.ts";
import {
  insertReviewNote,
  listReviewNotes,
  type NewReviewNote,
  type ReviewNoteRow,
} from "./note-queries.ts";

type Question = Pick<NewReviewNote, "kind" | "objectId" | "audience" | "note">;

/** The case stays in the queue. Returns the notes about it, newest first. */
export function askAbout(
  { db, seal, clock }: WriteParts,
  receiver: ReceiverKey,
  { kind, objectId, audience, note }: Question,
  actor: UserActor,
): Promise<ReviewNote[]> {
  const object = { kind: kind === "hit" ? "screening_hit" : "payout", id: objectId };
  const entry = { action: "review.ask", object, after: { audience } };
  return audited({ db, seal }, actor).transaction(entry, async (tx) => {
    const said = { kind, objectId, audience, note };
    await insertReviewNote(tx, receiver, { ...said, who: actor.who, atMs: clock() });
    return notesAbout(await listReviewNotes(tx, receiver), objectId);
  });
}

export function notesAbout(notes: readonly ReviewNoteRow[], objectId: string): ReviewNote[] {
  return notes
    .filter(({ object_id }) => object_id === objectId)
    .map(({ id, who, at_ms, audience, note }) => ({ id, who, at: Number(at_ms), audience, note }));
}
