// Ends a key for good, once its name has been typed.

import { Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { KeyLine } from "@server/console/keys/schema.ts";
import { useQueryClient } from "@tanstack/react-query";
import { send } from "../api/call.ts";
import { useApiOf, useSubaccount } from "../api/me.ts";
import { TypedConfirmation } from "../parts/typed-confirmation.tsx";
import { When } from "../parts/when.tsx";

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
    notifications.show({ message: `“${name}” is revoked`, color: "teal" });
  };
  return (
    <TypedConfirmation
      opened={opened}
      title={`Revoke “${name}”`}
      word={name}
      label="Revoke"
      onConfirm={revoke}
      onClose={onClose}
    >
      <Stack gap={4}>
        <Text size="sm">
          Whoever calls with it is refused within a second. It can't be brought back.
        </Text>
        {last_used_at !== null && (
          <Text size="sm">
            It was last used <When ms={last_used_at} />.
          </Text>
        )}
      </Stack>
    </TypedConfirmation>
  );
}
