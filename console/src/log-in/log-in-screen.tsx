// Lets a person in.

import { Screen } from "../parts/screen.tsx";

export function LogInScreen() {
  return <Screen title="Log in" />;
}
