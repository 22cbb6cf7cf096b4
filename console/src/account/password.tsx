// Changes the user's own password. The user has just confirmed the old one, so it isn't asked for here.

import { Button, Modal, PasswordInput, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/call.ts";
import { useMe } from "../api/me.ts";
import { DialogForm } from "../parts/form-dialog.tsx";
import { Panel } from "../parts/panel.tsx";
import { accountTexts } from "../texts/account.ts";

export function Password() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel
      title="Password"
      actions={
        <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
          {accountTexts.changePassword}
        </Button>
      }
    >
      <Text size="sm" c="dimmed">
        Changing your password signs you out of all other browsers and command lines.
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
  return (
    <DialogForm act={change} label={accountTexts.changePassword} onSubmit={() => change.mutate()}>
      {/* So that a password manager knows whose password it is. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        label="New password"
        description="At least 12 characters. Tip: use a few random words."
        autoComplete="new-password"
        required
        withAsterisk={false}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        data-autofocus
      />
    </DialogForm>
  );
}
