// One event, with every attempt to deliver it.

import { Screen } from "../parts/screen.tsx";

export function EventScreen() {
  return <Screen title="Event" />;
}
