// The event types that are sent: the published ones always, the others when they are chosen.

import { Checkbox, Stack } from "@mantine/core";
import type { Webhook } from "@server/doors/console/webhooks/schema.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { send } from "../api/call.ts";
import { useApiOf, useMay, useSubaccount } from "../api/me.ts";
import { Problem } from "../parts/problem.tsx";

export function EventTypes({ webhook }: { webhook: Webhook }) {
  const { id, is_closed } = useSubaccount();
  const apiOf = useApiOf();
  const client = useQueryClient();
  const mayWrite = useMay("webhooks.write") && !is_closed;
  const { event_types, event_metadata, known_types } = webhook;
  const set = useMutation({
    mutationFn: (change: { event_types: string[]; event_metadata?: boolean }) =>
      send<Webhook>("PUT", apiOf("/webhook/event-types"), change),
    onSuccess: (changed) => client.setQueryData([id, "events", "webhook"], changed),
  });
  const choose = (type: string, isChosen: boolean) =>
    set.mutate({
      event_types: isChosen ? [...event_types, type] : event_types.filter((one) => one !== type),
    });
  return (
    <Stack gap="xs">
      {known_types.map(({ type, is_on_request, description }) => (
        <Checkbox
          key={type}
          label={type}
          description={is_on_request ? `${description} Optional.` : description}
          checked={event_types.includes(type)}
          disabled={!is_on_request || !mayWrite || set.isPending}
          onChange={(event) => choose(type, event.currentTarget.checked)}
        />
      ))}
      <Checkbox
        label="Metadata in events"
        description="Events carry the metadata of their payout, receiver or account. Optional."
        checked={event_metadata}
        disabled={!mayWrite || set.isPending}
        onChange={(event) =>
          set.mutate({ event_types, event_metadata: event.currentTarget.checked })
        }
      />
      <Problem error={set.error} />
    </Stack>
  );
}
