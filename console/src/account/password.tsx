// The person's password: changed, or chosen by somebody who came in without one.

import { Button, Group, Modal, PasswordInput, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { StepUpWays } from "@server/operator/account/schema.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { get, send } from "../api/call.ts";
import { useMe } from "../api/me.ts";
import { ApiProblem } from "../api/problem.ts";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";

export function Password() {
  const [isChanging, setChanging] = useState(false);
  const { data } = useQuery({
    queryKey: ["step-up"],
    queryFn: ({ signal }) => get<StepUpWays>("/step-up", {}, signal),
  });
  if (!data) return null;
  const label = data.password ? "Change the password" : "Choose a password";
  return (
    <Panel
      title="Password"
      actions={
        <Button size="compact-sm" variant="default" onClick={() => setChanging(true)}>
          {label}
        </Button>
      }
    >
      <Text size="sm" c="dimmed">
        {data.password
          ? "You can log in by your e-mail address and a password."
          : "You have none, and need none while you can log in another way."}
      </Text>
      <Modal opened={isChanging} onClose={() => setChanging(false)} title={label} size="sm">
        <PasswordForm onChanged={() => setChanging(false)} />
      </Modal>
    </Panel>
  );
}

function PasswordForm({ onChanged }: { onChanged: () => void }) {
  const client = useQueryClient();
  const { email } = useMe();
  const [password, setPassword] = useState("");
  const change = useMutation({
    mutationFn: () => send("POST", "/password", { password }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["step-up"] });
      await client.invalidateQueries({ queryKey: ["sessions"] });
      notifications.show({ message: "Password changed", color: "teal" });
      onChanged();
    },
  });
  const wrong = change.error instanceof ApiProblem ? change.error.byField() : {};
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
          description="At least 12 characters. Your other sessions end."
          autoComplete="new-password"
          required
          withAsterisk={false}
          value={password}
          error={wrong.password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          data-autofocus
        />
        {!wrong.password && <Problem error={change.error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={change.isPending}>
            Change
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
