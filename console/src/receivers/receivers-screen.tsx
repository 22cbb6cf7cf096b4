// The subaccount's receivers.

import { Screen } from "../parts/screen.tsx";

export function ReceiversScreen() {
  return <Screen title="Receivers" />;
}
