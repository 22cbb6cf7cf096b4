// What people did at the console.

import { Screen } from "../parts/screen.tsx";

export function AuditScreen() {
  return <Screen title="Audit" />;
}
