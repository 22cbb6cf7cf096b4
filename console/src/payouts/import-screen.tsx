// Makes many payouts from a CSV file.

import { Screen } from "../parts/screen.tsx";

export function ImportScreen() {
  return <Screen title="Import payouts" />;
}
