// What waits for a second person.

import { Screen } from "../parts/screen.tsx";

export function ApprovalsScreen() {
  return <Screen title="Approvals" />;
}
