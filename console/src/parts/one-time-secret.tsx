// Shows a secret once. It is kept in no cache.

import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { CodeBlock } from "./code-block.tsx";
import { TriangleAlert } from "./icons.tsx";

export type Secret = {
  title: string;
  /** Above the secret. */
  label: string;
  value: string;
  /** Lines for an .env file. */
  env: readonly (readonly [name: string, value: string])[];
  /** What to do if it is lost. Default: rotate it. */
  whenLost?: string;
  /** A command that uses it. */
  example?: { label: string; text: string };
};

/** Only its button closes it: after closing it by accident, the user would have to rotate the secret. */
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
            title="Copy it now"
          >
            <Text size="sm">
              {`We can't show it again. If you lose it, ${secret.whenLost ?? "rotate the secret"}.`}
            </Text>
          </Alert>
          <CodeBlock text={secret.value} label={secret.label} wrap />
          <CodeBlock
            text={secret.env.map(([name, value]) => `${name}=${value}`).join("\n")}
            label="Save to .env"
            wrap
          />
          {secret.example && <CodeBlock {...secret.example} wrap />}
          <Group justify="flex-end">
            <Button onClick={onClose}>I have saved it</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
