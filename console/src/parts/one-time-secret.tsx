// A secret that is shown this once: to be copied, and then gone from the page. It is kept in no cache.

import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { TriangleAlert } from "lucide-react";
import { CodeBlock } from "./code-block.tsx";

export type Secret = {
  title: string;
  /** What it is, above the block that holds it alone. */
  label: string;
  value: string;
  /** As it would stand in a file of settings. */
  env: readonly (readonly [name: string, value: string])[];
};

/** Closed by its button alone: whoever closes it by accident would have to rotate. */
export function OneTimeSecret({
  secret,
  onClose,
}: {
  secret: Secret | undefined;
  onClose: () => void;
}) {
  return (
    <Modal
      opened={secret !== undefined}
      onClose={onClose}
      title={secret?.title}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      {secret && (
        <Stack gap="md">
          <Alert
            color="yellow"
            variant="light"
            icon={<TriangleAlert size={18} aria-hidden />}
            title="It is shown this once"
          >
            <Text size="sm">
              It is kept sealed and nobody can look it up. Whoever loses it rotates it.
            </Text>
          </Alert>
          <CodeBlock text={secret.value} label={secret.label} wrap />
          <CodeBlock
            text={secret.env.map(([name, value]) => `${name}=${value}`).join("\n")}
            label="Save to .env"
            wrap
          />
          <Group justify="flex-end">
            <Button onClick={onClose}>I have saved it</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
