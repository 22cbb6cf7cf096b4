// Asks before a page with typed values is left, also by the browser's Back button or by closing the tab.

import { Button, Group, Modal, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { partsTexts } from "../texts/parts.ts";

export function LeaveGuard({ isEdited, onDiscard }: { isEdited: boolean; onDiscard: () => void }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isEdited && current.pathname !== next.pathname,
    enableBeforeUnload: () => isEdited,
    withResolver: true,
  });
  if (status !== "blocked") return null;
  return (
    <Modal opened onClose={reset} title={partsTexts.discardChanges} size="sm">
      <Text size="sm">{partsTexts.whatYouEnteredWillBeLost}</Text>
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={reset} data-autofocus>
          {partsTexts.keepEditing}
        </Button>
        <Button
          color="red"
          onClick={() => {
            onDiscard();
            proceed();
          }}
        >
          {partsTexts.discard}
        </Button>
      </Group>
    </Modal>
  );
}
