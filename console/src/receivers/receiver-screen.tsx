// One receiver.

import { Screen } from "../parts/screen.tsx";

export function ReceiverScreen() {
  return <Screen title="Receiver" />;
}
