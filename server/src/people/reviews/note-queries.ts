// The SQL of notes: what reviewers asked about a hit or a payout on hold.

import { newId } from "../../platform/base/index.ts";
import { type Runner, statement, type Tx } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { ReceiverKey } from "../receivers/index.ts";

/** subaccount: its users read the note on the page of the receiver. reviewers: only users who read the review queue. */
export const noteAudiences = ["subaccount", "reviewers"] as const;
export type NoteAudience = (typeof noteAudiences)[number];

export type ReviewNoteRow = {
  id: string;
  object_id: string;
  audience: NoteAudience;
  who: string;
  at_ms: string;
  note: string;
};

export type NewReviewNote = {
  kind: "hit" | "hold";
  /** The hit, or the payout. */
  objectId: string;
  audience: NoteAudience;
  who: string;
  atMs: number;
  note: string;
};

const insertOne = statement<never>(
  "review-note-insert",
  `insert into review_note (subaccount_id, receiver_id, id, kind, object_id, audience, who, at_ms, note)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

export async function insertReviewNote(
  tx: Tx,
  { subaccountId, id }: ReceiverKey,
  { kind, objectId, audience, who, atMs, note }: NewReviewNote,
): Promise<void> {
  const values = [kind, objectId, audience, who, atMs, note];
  await tx.run(insertOne, [subaccountId, id, newId(), ...values]);
}

const listOfReceiver = statement<ReviewNoteRow>(
  "review-notes-of-receiver",
  `select id, object_id, audience, who, at_ms, note from review_note
   where subaccount_id = $1 and receiver_id = $2 order by id desc limit ${limits.receiverShownMax}`,
);

/** Of all cases of a receiver, newest first. */
export function listReviewNotes(
  db: Runner,
  { subaccountId, id }: ReceiverKey,
): Promise<ReviewNoteRow[]> {
  return db.run(listOfReceiver, [subaccountId, id]);
}
