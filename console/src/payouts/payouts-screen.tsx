// The subaccount's payouts.

import { Screen } from "../parts/screen.tsx";

export function PayoutsScreen() {
  return <Screen title="Payouts" />;
}
