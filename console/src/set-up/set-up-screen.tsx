// Makes the account that a set-up link invites to.

import { Screen } from "../parts/screen.tsx";

export function SetUpScreen() {
  return <Screen title="Set up" />;
}
