// The subaccount's settings.

import { Screen } from "../parts/screen.tsx";

export function SettingsScreen() {
  return <Screen title="Settings" />;
}
