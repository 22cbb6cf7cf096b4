// Resets the sign-in of a user, and shows the link to pass on.

import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { MadeLink } from "@server/doors/console/users/schema.ts";
import { useMutation } from "@tanstack/react-query";
import { send } from "../api/call.ts";
import { Problem } from "../parts/problem.tsx";
import { usersTexts } from "../texts/users.ts";
import { LinkShown } from "./link-shown.tsx";
import type { UserDialog } from "./user-dialog.ts";

export function ResetDialog({ opened, ...form }: UserDialog) {
  return (
    <Modal opened={opened} onClose={form.onClose} title={`Reset sign-in of ${form.user.name}`}>
      <ResetForm {...form} />
    </Modal>
  );
}

function ResetForm({ user, onClose, onChanged }: Omit<UserDialog, "opened">) {
  const reset = useMutation({
    mutationFn: () => send<MadeLink>("POST", `/users/${user.id}/reset`),
    onSuccess: onChanged,
  });
  if (reset.data) return <LinkShown made={reset.data} who={user.name} onClose={onClose} />;
  return (
    <Stack gap="md">
      <Text size="sm">
        Their password, passkeys and sessions stop working now. You get a link with which they
        choose a new password.
      </Text>
      <Problem error={reset.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {usersTexts.cancel}
        </Button>
        <Button color="red" loading={reset.isPending} onClick={() => reset.mutate()} data-autofocus>
          Reset sign-in
        </Button>
      </Group>
    </Stack>
  );
}
