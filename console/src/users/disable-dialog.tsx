// Disables a user, or enables a disabled one.

import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { send } from "../api/call.ts";
import { Problem } from "../parts/problem.tsx";
import { usersTexts } from "../texts/users.ts";
import type { UserDialog } from "./user-dialog.ts";

export function DisableDialog({ user, opened, onClose, onChanged }: UserDialog) {
  const isDisabled = user.status === "disabled";
  const change = useMutation({
    mutationFn: () => send("PATCH", `/users/${user.id}`, { disabled: !isDisabled }),
    onSuccess: () => {
      onChanged();
      onClose();
      notifications.show({
        message: isDisabled ? `${user.name} can sign in again` : `${user.name} is disabled`,
        color: "teal",
      });
    },
  });
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={isDisabled ? `Re-enable ${user.name}?` : `Disable ${user.name}?`}
    >
      <Stack gap="md">
        <Text size="sm">
          {isDisabled
            ? "They can sign in again, with the same role."
            : "Their sessions end now and they can't sign in. Their activity stays in the audit log."}
        </Text>
        <Problem error={change.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {usersTexts.cancel}
          </Button>
          <Button
            {...(isDisabled ? {} : { color: "red" })}
            loading={change.isPending}
            onClick={() => change.mutate()}
            data-autofocus
          >
            {isDisabled ? "Re-enable" : "Disable"}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
