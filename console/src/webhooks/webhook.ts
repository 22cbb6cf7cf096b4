// Loads the webhook endpoint, and reloads it on a timer.

import type { Webhook } from "@server/doors/console/webhooks/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { useApiOf, useSubaccount } from "../api/me.ts";

export function useWebhook() {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  return useQuery({
    queryKey: [id, "events", "webhook"],
    queryFn: ({ signal }) => get<Webhook>(apiOf("/webhook"), {}, signal),
    refetchInterval: 10_000,
  });
}
