// A developer's first steps.

import { Screen } from "../parts/screen.tsx";

export function QuickstartScreen() {
  return <Screen title="Quickstart" />;
}
