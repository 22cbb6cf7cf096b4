// Schemas of what acts on bank batches return.

import Type, { type Static } from "typebox";

export const FrozenBatches = Type.Object({ batch_ids: Type.Array(Type.String()) });
export type FrozenBatches = Static<typeof FrozenBatches>;

export const RawText = Type.Object({
  text: Type.String(),
  part: Type.Number(),
  has_next: Type.Boolean(),
});
export type RawText = Static<typeof RawText>;

export const ApprovedBatch = Type.Object({ approvals_missing: Type.Number() });
export type ApprovedBatch = Static<typeof ApprovedBatch>;

export const DiscardedBatch = Type.Object({
  outcome: Type.Unsafe<"discarded" | "waits">(Type.String({ enum: ["discarded", "waits"] })),
});
export type DiscardedBatch = Static<typeof DiscardedBatch>;
