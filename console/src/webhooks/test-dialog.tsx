// Sends an event that nothing happened for, and leads to what became of it.

import { Button, Group, Modal, Select, Stack, Text } from "@mantine/core";
import type { TestedWebhook } from "@server/console/webhooks/schema.ts";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { send } from "../api/call.ts";
import { useApiOf, usePageOf } from "../api/me.ts";
import { Problem } from "../parts/problem.tsx";

type Props = { types: readonly string[]; onClose: () => void };

export function TestDialog({ opened, ...form }: { opened: boolean } & Props) {
  return (
    <Modal opened={opened} onClose={form.onClose} title="Send a test event">
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
        A sample event with made-up ids, signed and sent like any other. Its webhook-id begins with
        evt_test_.
      </Text>
      <Select
        label="Type"
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
          Send
        </Button>
      </Group>
    </Stack>
  );
}
