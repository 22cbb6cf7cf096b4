// Makes one payout.

import { Screen } from "../parts/screen.tsx";

export function NewPayoutScreen() {
  return <Screen title="New payout" />;
}
