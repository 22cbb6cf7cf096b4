// Asks before a page is left whose draft has not everything that was typed, also by the browser's Back button or by
// closing the tab.

import { Button, Group, Modal, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { partsTexts } from "../texts/parts.ts";

export function LeaveGuard({ isLost, text }: { isLost: boolean; text: string }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isLost && current.pathname !== next.pathname,
    enableBeforeUnload: () => isLost,
    withResolver: true,
  });
  if (status !== "blocked") return null;
  return (
    <Modal opened onClose={reset} title="Leave this page?" size="sm">
      <Text size="sm">{text}</Text>
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={reset} data-autofocus>
          {partsTexts.keepEditing}
        </Button>
        <Button onClick={proceed}>Leave</Button>
      </Group>
    </Modal>
  );
}
