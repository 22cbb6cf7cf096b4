// Lets a person in no more, or again.

import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { send } from "../api/call.ts";
import { Problem } from "../parts/problem.tsx";
import type { PersonDialog } from "./person-dialog.ts";

export function DisableDialog({ person, opened, onClose, onChanged }: PersonDialog) {
  const isDisabled = person.status === "disabled";
  const change = useMutation({
    mutationFn: () => send("PATCH", `/people/${person.id}`, { disabled: !isDisabled }),
    onSuccess: () => {
      onChanged();
      onClose();
      notifications.show({
        message: isDisabled ? `${person.name} can log in again` : `${person.name} is disabled`,
        color: "teal",
      });
    },
  });
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={isDisabled ? `Let ${person.name} in again?` : `Disable ${person.name}?`}
    >
      <Stack gap="md">
        <Text size="sm">
          {isDisabled
            ? "They log in as before, with the same role."
            : "Their sessions end now, and they can't log in. What they did stays as it is."}
        </Text>
        <Problem error={change.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            {...(isDisabled ? {} : { color: "red" })}
            loading={change.isPending}
            onClick={() => change.mutate()}
            data-autofocus
          >
            {isDisabled ? "Let in again" : "Disable"}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
