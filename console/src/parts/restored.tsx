// Says that a form has what the user typed before, and offers to start over.

import { Alert, Button, Group } from "@mantine/core";

export function Restored({
  draft: { isRestored, clear },
  text = "What you typed before was restored.",
}: {
  draft: { isRestored: boolean; clear: () => void };
  text?: string;
}) {
  if (!isRestored) return null;
  return (
    <Alert color="gray" variant="light" role="status">
      <Group justify="space-between" gap="xs">
        {text}
        <Button size="compact-sm" variant="default" onClick={clear}>
          Start over
        </Button>
      </Group>
    </Alert>
  );
}
