// A one-time link that lets a user choose a password. Shown once.

import { Button, Group, Stack, Text } from "@mantine/core";
import type { MadeLink } from "@server/console/users/schema.ts";
import { CodeBlock } from "../parts/code-block.tsx";
import { Sentence } from "../parts/sentence.tsx";
import { When } from "../parts/when.tsx";
import { usersTexts } from "../texts/users.ts";

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
        <Sentence
          text={usersTexts.sendThisLink}
          parts={{ user: who, time: <When ms={expires_at} /> }}
        />
      </Text>
      <CodeBlock text={link} label={usersTexts.link} wrap />
      <Group justify="flex-end">
        <Button onClick={onClose}>{usersTexts.done}</Button>
      </Group>
    </Stack>
  );
}
