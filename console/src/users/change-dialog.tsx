// Changes what a person may do.

import { Button, Group, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { send } from "../api/call.ts";
import { ApiProblem } from "../api/problem.ts";
import { FormModal } from "../parts/form-modal.tsx";
import { Problem } from "../parts/problem.tsx";
import type { PersonDialog } from "./person-dialog.ts";
import { type RoleChoice, RoleFields, roleBody } from "./role-fields.tsx";

export function ChangeDialog({ opened, ...form }: PersonDialog) {
  return (
    <FormModal opened={opened} onClose={form.onClose} title={`The role of ${form.person.name}`}>
      <ChangeForm {...form} />
    </FormModal>
  );
}

function ChangeForm({ person, onClose, onChanged }: Omit<PersonDialog, "opened">) {
  const [choice, setChoice] = useState<RoleChoice>({
    role: person.role,
    subaccountIds: person.subaccount_ids,
  });
  const change = useMutation({
    mutationFn: () => send("PATCH", `/people/${person.id}`, roleBody(choice)),
    onSuccess: () => {
      onChanged();
      onClose();
      notifications.show({ message: "Role changed", color: "teal" });
    },
  });
  const wrong = change.error instanceof ApiProblem ? change.error.byField() : {};
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <RoleFields value={choice} onChange={setChoice} wrong={wrong} />
        <Text size="sm" c="dimmed">
          Wherever they are logged in, they have to log in again.
        </Text>
        {Object.keys(wrong).length === 0 && <Problem error={change.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending}>
            Change
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
