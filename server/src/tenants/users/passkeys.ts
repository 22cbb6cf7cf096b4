// The audit entries of a user's own passkeys. The sign-in library adds and deletes them, right before.

import Type from "typebox";
import { input } from "../../platform/fields/index.ts";
import { act } from "../acts/index.ts";

const ofOwn = {
  object: "passkey",
  may: "read",
  stepUp: true,
  tokens: "none",
  doors: ["console"],
  input: input({ id: Type.String() }),
} as const;

export const addPasskey = recorded("passkey.add", "add a passkey of one's own");
export const deletePasskey = recorded("passkey.delete", "delete a passkey of one's own");

function recorded(name: string, summary: string) {
  return act({
    ...ofOwn,
    name,
    summary,
    run: async ({ session }, { id }) => ({
      result: undefined,
      id,
      subaccountId: session?.user.subaccountIds?.[0],
    }),
  });
}
