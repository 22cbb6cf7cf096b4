// The subaccount's API keys.

import { Screen } from "../parts/screen.tsx";

export function KeysScreen() {
  return <Screen title="Keys" />;
}
