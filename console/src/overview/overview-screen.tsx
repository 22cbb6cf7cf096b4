// How the subaccount is doing.

import { Screen } from "../parts/screen.tsx";

export function OverviewScreen() {
  return <Screen title="Overview" />;
}
