// Sends a sample event, and opens its page.

import { Button, Group, Modal, Select, Stack, Text } from "@mantine/core";
import type { TestedWebhook } from "@server/doors/console/webhooks/schema.ts";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { send } from "../api/call.ts";
import { useApiOf, usePageOf } from "../api/me.ts";
import { Problem } from "../parts/problem.tsx";
import { webhooksTexts } from "../texts/webhooks.ts";

type Props = { types: readonly string[]; onClose: () => void };

export function TestDialog({ opened, ...form }: { opened: boolean } & Props) {
  return (
    <Modal opened={opened} onClose={form.onClose} title={webhooksTexts.sendTestEvent}>
      <TestForm {...form} />
    </Modal>
  );
}

function TestForm({ types, onClose }: Props) {
  const [type, setType] = useState<string | null>(types[0] ?? null);
  const apiOf = useApiOf();
  const pageOf = usePageOf();
  const navigate = useNavigate();
  const test = useMutation({
    mutationFn: () => send<TestedWebhook>("POST", apiOf("/webhook/test"), { type }),
    onSuccess: ({ id }) => {
      onClose();
      void navigate({ to: pageOf("webhooks", "events", id) as never });
    },
  });
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        A sample event with fake IDs, signed and sent like any other. Its webhook-id starts with
        evt_test_.
      </Text>
      <Select
        label="Event type"
        data={[...types]}
        value={type}
        onChange={setType}
        allowDeselect={false}
        data-autofocus
      />
      <Problem error={test.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={test.isPending} onClick={() => test.mutate()}>
          {webhooksTexts.sendTestEvent}
        </Button>
      </Group>
    </Stack>
  );
}
