// Says beside a button why it can't be pressed yet.

import { Text } from "@mantine/core";

export function Missing({ text }: { text: string | false | undefined }) {
  if (!text) return null;
  return (
    <Text size="sm" c="dimmed" role="status">
      {text}
    </Text>
  );
}
