// Revokes an API key after the user has typed its name.

import { Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { KeyLine } from "@server/console/keys/schema.ts";
import { useQueryClient } from "@tanstack/react-query";
import { send } from "../api/call.ts";
import { useApiOf, useSubaccount } from "../api/me.ts";
import { Sentence } from "../parts/sentence.tsx";
import { TypedConfirmation } from "../parts/typed-confirmation.tsx";
import { When } from "../parts/when.tsx";
import { keysTexts } from "../texts/keys.ts";

export function RevokeDialog({
  opened,
  line: { key, name, last_used_at },
  onClose,
}: {
  opened: boolean;
  line: KeyLine;
  onClose: () => void;
}) {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const client = useQueryClient();
  const revoke = async () => {
    await send("POST", apiOf(`/keys/${key}/revoke`));
    await client.invalidateQueries({ queryKey: [id, "keys"] });
    notifications.show({ message: keysTexts.revoked(name), color: "teal" });
  };
  return (
    <TypedConfirmation
      opened={opened}
      title={keysTexts.revokeWithName(name)}
      word={name}
      label={keysTexts.revokeKey}
      onConfirm={revoke}
      onClose={onClose}
    >
      <Stack gap={4}>
        <Text size="sm">{keysTexts.theKeyStopsWorkingImmediatelyThis}</Text>
        {last_used_at !== null && (
          <Text size="sm">
            <Sentence text={keysTexts.lastUsedAt} parts={{ time: <When ms={last_used_at} /> }} />
          </Text>
        )}
      </Stack>
    </TypedConfirmation>
  );
}
