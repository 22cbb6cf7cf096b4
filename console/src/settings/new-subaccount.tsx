// Makes another subaccount, whose first key's secret is shown once.

import { Button, Group, Radio, Stack, Text, TextInput } from "@mantine/core";
import type { MadeSubaccount } from "@server/console/settings/schema.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { send } from "../api/call.ts";
import { meQuery } from "../api/me.ts";
import { subaccountsKey } from "../api/subaccounts.ts";
import { keySecret } from "../keys/create-key-dialog.tsx";
import { FormModal } from "../parts/form-modal.tsx";
import { OneTimeSecret, type Secret } from "../parts/one-time-secret.tsx";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";

type Made = { id: string; secret: Secret };

export function NewSubaccount() {
  const [isOpen, setOpen] = useState(false);
  const [made, setMade] = useState<Made>();
  const navigate = useNavigate();
  const leave = () => {
    const id = made?.id;
    setMade(undefined);
    if (id) void navigate({ to: `/s/${id}/settings` as never });
  };
  return (
    <Panel title="Another subaccount">
      <Stack gap="sm">
        <Text size="sm">With keys, receivers, money and events of its own.</Text>
        <Group>
          <Button variant="default" onClick={() => setOpen(true)}>
            New subaccount
          </Button>
        </Group>
      </Stack>
      <FormModal opened={isOpen} onClose={() => setOpen(false)} title="New subaccount">
        <NewSubaccountForm onMade={setMade} onClose={() => setOpen(false)} />
      </FormModal>
      <OneTimeSecret secret={made?.secret} onClose={leave} />
    </Panel>
  );
}

function NewSubaccountForm({
  onMade,
  onClose,
}: {
  onMade: (made: Made) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState("");
  const [mode, setMode] = useState("test");
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: async () => {
      const made = await send<MadeSubaccount>("POST", "/subaccounts", { name, mode });
      await client.invalidateQueries({ queryKey: meQuery.queryKey });
      await client.invalidateQueries({ queryKey: [subaccountsKey] });
      onClose();
      onMade({ id: made.id, secret: keySecret(`The first key of “${made.name}”`, made) });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          label="Name"
          required
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <Radio.Group label="Mode" description="For life" value={mode} onChange={setMode}>
          <Stack gap={6} mt="xs">
            <Radio value="test" label="Sandbox: made-up money and a made-up bank" />
            <Radio
              value="live"
              label="Live: real money"
              description="No bank can be connected yet: its payouts would be refused."
            />
          </Stack>
        </Radio.Group>
        <Problem error={create.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={name.trim() === ""} loading={create.isPending}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
