// Sign-in with the company's own identity provider: leaves for its page and comes back.

import { wayBack } from "../state/remembered.ts";
import { send } from "./call.ts";

/** `next` is a path below /console. `again` asks for a new sign-in there, to confirm the user's identity. */
export async function leaveForCompany({
  next,
  again = false,
}: {
  next: string;
  again?: boolean;
}): Promise<void> {
  const { url } = await send<{ url: string }>("POST", "/auth/sign-in/oauth2", {
    ...(again ? { again } : {}),
  });
  wayBack.set(next);
  window.location.assign(url);
}
