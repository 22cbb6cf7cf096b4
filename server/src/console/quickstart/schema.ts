// The first steps of a developer: which are done, and the lines that do them.

import Type, { type Static } from "typebox";
import { modes } from "../../caller.ts";

const quickstartSteps = ["key", "call", "receiver", "webhook"] as const;

const Step = Type.Object({
  id: Type.String({ enum: [...quickstartSteps] }),
  is_done: Type.Boolean(),
  /** When it was seen to be. */
  at: Type.Union([Type.Number(), Type.Null()]),
  /** Lines to copy, each way of doing it with its name. */
  ways: Type.Array(Type.Object({ label: Type.String(), text: Type.String() })),
});

export const Quickstart = Type.Object({
  base_url: Type.String(),
  mode: Type.String({ enum: [...modes] }),
  /** The newest that is live. */
  key: Type.Union([Type.String(), Type.Null()]),
  steps: Type.Array(Step),
});
export type Quickstart = Static<typeof Quickstart>;
