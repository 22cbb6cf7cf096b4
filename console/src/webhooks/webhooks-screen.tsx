// Where events go, and how that went.

import { Screen } from "../parts/screen.tsx";

export function WebhooksScreen() {
  return <Screen title="Webhooks" />;
}
