// Resets how a person logs in, and shows the link to pass on.

import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { MadeLink } from "@server/console/users/schema.ts";
import { useMutation } from "@tanstack/react-query";
import { send } from "../api/call.ts";
import { Problem } from "../parts/problem.tsx";
import { LinkShown } from "./link-shown.tsx";
import type { PersonDialog } from "./person-dialog.ts";

export function ResetDialog({ opened, ...form }: PersonDialog) {
  return (
    <Modal opened={opened} onClose={form.onClose} title={`Reset the log-in of ${form.person.name}`}>
      <ResetForm {...form} />
    </Modal>
  );
}

function ResetForm({ person, onClose, onChanged }: Omit<PersonDialog, "opened">) {
  const reset = useMutation({
    mutationFn: () => send<MadeLink>("POST", `/people/${person.id}/reset`),
    onSuccess: onChanged,
  });
  if (reset.data) return <LinkShown made={reset.data} who={person.name} onClose={onClose} />;
  return (
    <Stack gap="md">
      <Text size="sm">
        Their password, passkeys and sessions end now. You get a link by which they choose a new
        password.
      </Text>
      <Problem error={reset.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button color="red" loading={reset.isPending} onClick={() => reset.mutate()} data-autofocus>
          Reset
        </Button>
      </Group>
    </Stack>
  );
}
