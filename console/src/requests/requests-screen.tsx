// What was asked of the interface, and answered.

import { Screen } from "../parts/screen.tsx";

export function RequestsScreen() {
  return <Screen title="API requests" />;
}
