// The person's own sessions and passkeys.

import { Screen } from "../parts/screen.tsx";

export function AccountScreen() {
  return <Screen title="Your account" />;
}
