// One payout, and all that happened to it.

import { Screen } from "../parts/screen.tsx";

export function PayoutScreen() {
  return <Screen title="Payout" />;
}
