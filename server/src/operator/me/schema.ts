// What a person's console knows about the person: who it is, what it may do, and which subaccounts there are.

import Type, { type Static } from "typebox";
import { roles } from "../../people/person.ts";

export const Me = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role: Type.String({ enum: [...roles] }),
  permissions: Type.Array(Type.String()),
  subaccounts: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      mode: Type.String({ enum: ["test", "live"] }),
      is_closed: Type.Boolean(),
    }),
  ),
});
export type Me = Static<typeof Me>;
