// Says where events go. The first time, a secret comes with it, which is shown once.

import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import type { SetWebhook } from "@server/console/webhooks/schema.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { send } from "../api/call.ts";
import { useApiOf, useSubaccount } from "../api/me.ts";
import { FormModal } from "../parts/form-modal.tsx";
import type { Secret } from "../parts/one-time-secret.tsx";
import { Problem } from "../parts/problem.tsx";

type Props = { url: string; onSecret: (secret: Secret) => void; onClose: () => void };

export function AddressDialog({ opened, ...form }: { opened: boolean } & Props) {
  return (
    <FormModal opened={opened} onClose={form.onClose} title="Where events go">
      <AddressForm {...form} />
    </FormModal>
  );
}

function AddressForm({ url: before, onSecret, onClose }: Props) {
  const [url, setUrl] = useState(before);
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const client = useQueryClient();
  const set = useMutation({
    mutationFn: async () => {
      const made = await send<SetWebhook>("PUT", apiOf("/webhook"), { url: url.trim() });
      client.setQueryData([id, "events", "webhook"], made.webhook);
      onClose();
      if (made.secret !== null) onSecret(webhookSecret(made.secret));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    set.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          label="Address"
          description="A public https address that answers with 2xx. Empty: nowhere."
          placeholder="https://example.com/events"
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
          data-autofocus
        />
        <Text size="sm" c="dimmed">
          Set again, also unchanged, it enables an endpoint that was disabled, and what waits is
          tried at once.
        </Text>
        <Problem error={set.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={set.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export function webhookSecret(value: string): Secret {
  return {
    title: "The secret of your endpoint",
    label: "Events are signed with it",
    value,
    env: [["DISBURSE_WEBHOOK_SECRET", value]],
  };
}
