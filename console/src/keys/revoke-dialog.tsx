// Revokes an API key after the user has typed its name.

import { Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { KeyLine } from "@server/doors/console/keys/schema.ts";
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
    notifications.show({ message: `“${name}” revoked`, color: "teal" });
  };
  return (
    <TypedConfirmation
      opened={opened}
      title={`Revoke “${name}”`}
      word={name}
      label="Revoke key"
      onConfirm={revoke}
      onClose={onClose}
    >
      <Stack gap={4}>
        <Text size="sm">The key stops working immediately. This can't be undone.</Text>
        {last_used_at !== null && (
          <Text size="sm">
            Last used <When ms={last_used_at} />.
          </Text>
        )}
      </Stack>
    </TypedConfirmation>
  );
}
