// Changes the role of a user.

import { Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/call.ts";
import { ApiProblem } from "../api/problem.ts";
import { DialogForm, FormDialog } from "../parts/form-dialog.tsx";
import { type RoleChoice, RoleFields, roleBody } from "./role-fields.tsx";
import type { UserDialog } from "./user-dialog.ts";

export function ChangeDialog({ opened, ...form }: UserDialog) {
  return (
    <FormDialog opened={opened} onClose={form.onClose} title={`Change role of ${form.user.name}`}>
      <ChangeForm {...form} />
    </FormDialog>
  );
}

function ChangeForm({ user, onClose, onChanged }: Omit<UserDialog, "opened">) {
  const [choice, setChoice] = useState<RoleChoice>({
    role: user.role,
    subaccountIds: user.subaccount_ids,
  });
  const change = useMutation({
    mutationFn: () => send("PATCH", `/users/${user.id}`, roleBody(choice)),
    onSuccess: () => {
      onChanged();
      onClose();
      notifications.show({ message: "Role changed", color: "teal" });
    },
  });
  const wrong = change.error instanceof ApiProblem ? change.error.byField() : {};
  return (
    <DialogForm
      act={change}
      label="Change role"
      fields={["email", "name", "role", "subaccount_id", "subaccount_ids"]}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <RoleFields value={choice} onChange={setChoice} wrong={wrong} />
      <Text size="sm" c="dimmed">
        The user is signed out everywhere and has to sign in again.
      </Text>
    </DialogForm>
  );
}
