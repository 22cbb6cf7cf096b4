// Gives a key a new secret. The one before goes on for as long as is chosen.

import { Button, Group, Modal, Radio, Stack } from "@mantine/core";
import type { IssuedSecret, KeyLine } from "@server/console/keys/schema.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { send } from "../api/call.ts";
import { useApiOf, useSubaccount } from "../api/me.ts";
import type { Secret } from "../parts/one-time-secret.tsx";
import { Problem } from "../parts/problem.tsx";
import { keySecret } from "./create-key-dialog.tsx";
import { graces } from "./graces.ts";

type Props = { line: KeyLine; onSecret: (secret: Secret) => void; onClose: () => void };

export function RotateKeyDialog({ opened, ...form }: { opened: boolean } & Props) {
  return (
    <Modal opened={opened} onClose={form.onClose} title={`Rotate “${form.line.name}”`}>
      <RotateForm {...form} />
    </Modal>
  );
}

function RotateForm({ line: { key, name }, onSecret, onClose }: Props) {
  const [graceMs, setGraceMs] = useState("86400000");
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const client = useQueryClient();
  const rotate = useMutation({
    mutationFn: async () => {
      const wish = { grace_ms: Number(graceMs) };
      const issued = await send<IssuedSecret>("POST", apiOf(`/keys/${key}/rotate`), wish);
      void client.invalidateQueries({ queryKey: [id, "keys"] });
      onClose();
      onSecret(keySecret(`The new secret of “${name}”`, issued));
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
          label="The secret before it goes on"
          description="The key stays the same. One that was in its grace already ends now."
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
