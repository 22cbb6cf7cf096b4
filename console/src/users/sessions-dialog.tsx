// Where a person is logged in, and how an admin ends that.

import { Group, Modal, Stack, Text } from "@mantine/core";
import type { SessionList } from "@server/console/account/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { SessionFacts } from "../account/session-facts.tsx";
import { get, send } from "../api/call.ts";
import { Act } from "../parts/act.tsx";
import { Problem } from "../parts/problem.tsx";
import type { PersonDialog } from "./person-dialog.ts";

export function SessionsDialog({ opened, ...list }: PersonDialog) {
  return (
    <Modal opened={opened} onClose={list.onClose} title={`Sessions of ${list.person.name}`}>
      <Sessions {...list} />
    </Modal>
  );
}

function Sessions({ person, onChanged }: Omit<PersonDialog, "opened">) {
  const { data, error, refetch } = useQuery({
    queryKey: ["people", person.id, "sessions"],
    queryFn: ({ signal }) => get<SessionList>(`/people/${person.id}/sessions`, {}, signal),
  });
  const end = (path: string) => async () => {
    await send("DELETE", path);
    await refetch();
    onChanged();
  };
  const rows = data?.rows ?? [];
  return (
    <Stack gap="md">
      <Problem error={error} onRetry={() => void refetch()} />
      {data && rows.length === 0 && <Text size="sm">They are logged in nowhere.</Text>}
      {rows.map((session) => (
        <Group key={session.id} justify="space-between" wrap="nowrap">
          <SessionFacts session={session} />
          <Act
            label="End"
            size="compact-sm"
            done="Session ended"
            onAct={end(`/sessions/${session.id}`)}
          />
        </Group>
      ))}
      {rows.length > 1 && (
        <Group justify="flex-end">
          <Act
            label="End all"
            danger
            done="All sessions ended"
            onAct={end(`/people/${person.id}/sessions`)}
          />
        </Group>
      )}
    </Stack>
  );
}
