// The schemas of erasure: what callers of the API receive.

import Type, { type Static } from "typebox";
import type { SchemaExtras } from "../../platform/fields/index.ts";
import { receiverStatuses } from "../receivers/index.ts";

export const ReceiverErasure = Type.Object(
  {},
  {
    title: "ReceiverErasure",
    description: "Has no fields yet; may be omitted",
    additionalProperties: false,
    ...({ unknownField: "REVR231" } satisfies SchemaExtras),
  },
);

export const ErasedReceiver = Type.Object(
  {
    receiver_id: Type.String({ format: "uuid" }),
    status: Type.String({ enum: [...receiverStatuses] }),
    erased_at: Type.String({ description: "Milliseconds since the Unix epoch" }),
  },
  { title: "ErasedReceiver" },
);
export type ErasedReceiver = Static<typeof ErasedReceiver>;
