// A one-time link that lets a user choose a password. Shown once.

import { Button, Group, Stack, Text } from "@mantine/core";
import type { MadeLink } from "@server/doors/console/users/schema.ts";
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
        Send this link to {who} through a secure channel: anyone who opens it can sign in as them.
        It works once, until <When ms={expires_at} isDeadline />, and is shown only now.
      </Text>
      <Text size="sm">
        You and {who} count as one user until another admin confirms {who}: in live mode, neither
        can approve what the other made. No time ends this. Another admin can confirm {who} once the
        link has been used, or from <When ms={expires_at} isDeadline />, when it expires.
      </Text>
      <CodeBlock text={link} label="Link" wrap />
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  );
}
