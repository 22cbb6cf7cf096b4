// The notes about one case: what reviewers asked.

import type { ReviewNoteRow } from "../../../people/reviews/index.ts";
import type { ReviewNote } from "../../review-list/index.ts";

export function notesAbout(notes: readonly ReviewNoteRow[], objectId: string): ReviewNote[] {
  return notes
    .filter(({ object_id }) => object_id === objectId)
    .map(({ id, who, at_ms, audience, note }) => ({ id, who, at: Number(at_ms), audience, note }));
}
