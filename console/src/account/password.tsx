// A new password for oneself. Who it is was confirmed just before, so the old one isn't asked for here.

import { Button, Group, Modal, PasswordInput, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { send } from "../api/call.ts";
import { useMe } from "../api/me.ts";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";

export function Password() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel
      title="Password"
      actions={
        <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
          Change
        </Button>
      }
    >
      <Text size="sm" c="dimmed">
        Changing it ends your sessions in all other browsers.
      </Text>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Change your password" size="sm">
        <PasswordForm onDone={() => setOpen(false)} />
      </Modal>
    </Panel>
  );
}

function PasswordForm({ onDone }: { onDone: () => void }) {
  const { email } = useMe();
  const client = useQueryClient();
  const [password, setPassword] = useState("");
  const change = useMutation({
    mutationFn: () => send("POST", "/password", { password }),
    onSuccess: () => {
      notifications.show({ message: "Password changed", color: "teal" });
      void client.invalidateQueries({ queryKey: ["sessions"] });
      onDone();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {/* So that a password manager knows whose password it is. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label="New password"
          description="At least 12 characters. Some words in a row are good."
          autoComplete="new-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          data-autofocus
        />
        <Problem error={change.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={change.isPending}>
            Change it
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
