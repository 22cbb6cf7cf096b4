// One request to the interface.

import { Screen } from "../parts/screen.tsx";

export function RequestScreen() {
  return <Screen title="API request" />;
}
