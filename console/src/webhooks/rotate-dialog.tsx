// Makes a new secret for the signatures of events. The one before goes on for as long as is chosen.

import { Button, Group, Modal, Radio, Stack } from "@mantine/core";
import type { NewWebhookSecret } from "@server/console/webhooks/schema.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { send } from "../api/call.ts";
import { useApiOf, useSubaccount } from "../api/me.ts";
import { graces } from "../keys/graces.ts";
import type { Secret } from "../parts/one-time-secret.tsx";
import { Problem } from "../parts/problem.tsx";
import { webhookSecret } from "./address-dialog.tsx";

type Props = { onSecret: (secret: Secret) => void; onClose: () => void };

export function RotateDialog({ opened, ...form }: { opened: boolean } & Props) {
  return (
    <Modal opened={opened} onClose={form.onClose} title="Rotate the signing secret">
      <RotateForm {...form} />
    </Modal>
  );
}

function RotateForm({ onSecret, onClose }: Props) {
  const [graceMs, setGraceMs] = useState("86400000");
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const client = useQueryClient();
  const rotate = useMutation({
    mutationFn: async () => {
      const overlap = { overlap_s: Number(graceMs) / 1000 };
      const { secret } = await send<NewWebhookSecret>("POST", apiOf("/webhook/rotate"), overlap);
      void client.invalidateQueries({ queryKey: [id, "events", "webhook"] });
      onClose();
      onSecret(webhookSecret(secret));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rotate.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Radio.Group
          label="The secret before it signs as well"
          description="Events then carry a signature of each, so that you can change over without missing one."
          value={graceMs}
          onChange={setGraceMs}
        >
          <Stack gap={6} mt="xs">
            {graces.map(({ ms, label }) => (
              <Radio key={ms} value={String(ms)} label={label} />
            ))}
          </Stack>
        </Radio.Group>
        <Problem error={rotate.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={rotate.isPending}>
            Rotate
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
