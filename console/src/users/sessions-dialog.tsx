// The active sessions of a user, which an admin can end.

import { Group, Modal, Stack, Text } from "@mantine/core";
import type { SessionList } from "@server/doors/console/account/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { SessionFacts } from "../account/session-facts.tsx";
import { get, send } from "../api/call.ts";
import { Act } from "../parts/act.tsx";
import { Problem } from "../parts/problem.tsx";
import type { UserDialog } from "./user-dialog.ts";

export function SessionsDialog({ opened, ...list }: UserDialog) {
  return (
    <Modal opened={opened} onClose={list.onClose} title={`Sessions of ${list.user.name}`}>
      <Sessions {...list} />
    </Modal>
  );
}

function Sessions({ user, onChanged }: Omit<UserDialog, "opened">) {
  const { data, error, refetch } = useQuery({
    queryKey: ["users", user.id, "sessions"],
    queryFn: ({ signal }) => get<SessionList>(`/users/${user.id}/sessions`, {}, signal),
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
      {data && rows.length === 0 && <Text size="sm">No active sessions.</Text>}
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
            label="End all sessions"
            danger
            done="All sessions ended"
            onAct={end(`/users/${user.id}/sessions`)}
          />
        </Group>
      )}
    </Stack>
  );
}
