// Schemas of the quickstart: the steps of developers and of the user's role, whether the user has done each, and the code to copy.

import Type, { type Static } from "typebox";
import { modes } from "../../../platform/base/index.ts";
import { actionsOfStep } from "./role-steps.ts";

const developerSteps = ["key", "call", "receiver", "payout", "webhook"] as const;

const progress = {
  is_done: Type.Boolean(),
  /** When it was done. */
  at: Type.Union([Type.Number(), Type.Null()]),
};

const Step = Type.Object({
  id: Type.String({ enum: [...developerSteps] }),
  ...progress,
  /** Code to copy, by language. */
  ways: Type.Array(Type.Object({ label: Type.String(), text: Type.String() })),
});

export const Quickstart = Type.Object({
  base_url: Type.String(),
  mode: Type.String({ enum: [...modes] }),
  /** The newest valid key. */
  key: Type.Union([Type.String(), Type.Null()]),
  /** Of a test subaccount: whether sample data can be added, or removed. */
  samples: Type.Union([Type.String({ enum: ["possible", "present"] }), Type.Null()]),
  steps: Type.Array(Step),
  /** What the user's role does at the console. */
  own_steps: Type.Array(
    Type.Object({ id: Type.String({ enum: Object.keys(actionsOfStep) }), ...progress }),
  ),
});
export type Quickstart = Static<typeof Quickstart>;
