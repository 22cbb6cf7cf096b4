// Creates a subaccount. The secret of its first API key is shown once.

import { Button, Group, Radio, Stack, Text, TextInput } from "@mantine/core";
import type { MadeSubaccount } from "@server/webhooks/webhook-endpoints/schema.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { send } from "../api/call.ts";
import { meQuery } from "../api/me.ts";
import { subaccountsKey } from "../api/subaccounts.ts";
import { keySecret } from "../keys/create-key-dialog.tsx";
import { DialogForm, FormDialog } from "../parts/form-dialog.tsx";
import { OneTimeSecret, type Secret } from "../parts/one-time-secret.tsx";
import { Panel } from "../parts/panel.tsx";
import { settingsTexts } from "../texts/settings.ts";

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
    <Panel title={settingsTexts.createSubaccount}>
      <Stack gap="sm">
        <Text size="sm">
          A new subaccount has its own API keys, receivers, balances and events.
        </Text>
        <Group>
          <Button variant="default" onClick={() => setOpen(true)}>
            {settingsTexts.createSubaccount}
          </Button>
        </Group>
      </Stack>
      <FormDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={settingsTexts.createSubaccount}
      >
        <NewSubaccountForm onMade={setMade} onClose={() => setOpen(false)} />
      </FormDialog>
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
      onMade({ id: made.id, secret: keySecret(`First API key of “${made.name}”`, made) });
    },
  });
  return (
    <DialogForm
      act={create}
      label={settingsTexts.createSubaccount}
      isReady={!(name.trim() === "")}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextInput
        label={settingsTexts.name}
        required
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
      <Radio.Group
        label={settingsTexts.mode}
        description="Can't be changed later"
        value={mode}
        onChange={setMode}
      >
        <Stack gap={6} mt="xs">
          <Radio value="test" label="Test: test money and the sandbox bank" />
          <Radio
            value="live"
            label="Live: real money"
            description="No bank can be connected yet, so payouts are refused."
          />
        </Stack>
      </Radio.Group>
    </DialogForm>
  );
}
