// Asks the person to prove who they are, when a call wants that, and lets the call go on.

import { Button, Divider, Group, Modal, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Fingerprint } from "lucide-react";
import { type FormEvent, useEffect, useState } from "react";
import { send } from "../api/call.ts";
import { useMe } from "../api/me.ts";
import { canUsePasskeys, confirmByPasskey, isGivenUp } from "../api/passkey.ts";
import { onConfirmAsked, settleConfirm } from "../api/step-up.ts";
import { Problem } from "../parts/problem.tsx";

export function StepUpDialog() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => onConfirmAsked(setOpen), []);
  return (
    <Modal
      opened={isOpen}
      onClose={() => settleConfirm(false)}
      title="Confirm that it is you"
      size="sm"
      zIndex={400}
    >
      <StepUpForm />
    </Modal>
  );
}

function StepUpForm() {
  const { email } = useMe();
  const [password, setPassword] = useState("");
  const byPassword = useMutation({
    mutationFn: () => send("POST", "/step-up", { password }),
    onSuccess: () => settleConfirm(true),
  });
  const byPasskey = useMutation({
    mutationFn: confirmByPasskey,
    onSuccess: () => settleConfirm(true),
  });
  const passkeyError = isGivenUp(byPasskey.error) ? null : byPasskey.error;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    byPassword.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          This needs a fresh proof. It counts for five minutes.
        </Text>
        {/* So that a password manager knows whose password is asked for. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          data-autofocus
        />
        <Problem error={byPassword.error ?? passkeyError} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => settleConfirm(false)}>
            Cancel
          </Button>
          <Button type="submit" loading={byPassword.isPending} disabled={password === ""}>
            Confirm
          </Button>
        </Group>
        {canUsePasskeys() && (
          <>
            <Divider label="or" />
            <Button
              variant="default"
              leftSection={<Fingerprint size={16} aria-hidden />}
              loading={byPasskey.isPending}
              onClick={() => byPasskey.mutate()}
            >
              Use a passkey
            </Button>
          </>
        )}
      </Stack>
    </form>
  );
}
