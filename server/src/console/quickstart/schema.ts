// Schemas of the quickstart: its steps, whether each is done, and the code to copy.

import Type, { type Static } from "typebox";
import { modes } from "../../caller.ts";

const quickstartSteps = ["key", "call", "receiver", "webhook"] as const;

const Step = Type.Object({
  id: Type.String({ enum: [...quickstartSteps] }),
  is_done: Type.Boolean(),
  /** When it was done. */
  at: Type.Union([Type.Number(), Type.Null()]),
  /** Code to copy, by language. */
  ways: Type.Array(Type.Object({ label: Type.String(), text: Type.String() })),
});

export const Quickstart = Type.Object({
  base_url: Type.String(),
  mode: Type.String({ enum: [...modes] }),
  /** The newest valid key. */
  key: Type.Union([Type.String(), Type.Null()]),
  steps: Type.Array(Step),
});
export type Quickstart = Static<typeof Quickstart>;
