// A link by which somebody chooses their password: shown once, to be passed on.

import { Button, Group, Stack, Text } from "@mantine/core";
import type { MadeLink } from "@server/console/users/schema.ts";
import { CodeBlock } from "../parts/code-block.tsx";
import { When } from "../parts/when.tsx";

export function LinkShown({
  made: { link, expires_at },
  who,
  onClose,
}: {
  made: MadeLink;
  who: string;
  onClose: () => void;
}) {
  return (
    <Stack gap="md">
      <Text size="sm">
        Send this link to {who}, over a way that you trust: whoever opens it can log in as them. It
        works once, until <When ms={expires_at} />, and is shown only now.
      </Text>
      <CodeBlock text={link} label="Link" wrap />
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}
