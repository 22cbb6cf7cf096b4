// Log-in at the company's own identity provider: away to its page, and back here.

import { wayBack } from "../state/remembered.ts";
import { send } from "./call.ts";

/** `next` is a path below /console. `again`: to be asked there anew, as a fresh proof. */
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
