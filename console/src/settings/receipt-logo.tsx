// The logo on the receipts of payouts: shown, chosen, removed.

import { Button, FileButton, Group, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { Settings } from "@server/doors/console/settings/schema.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { addressOf, send } from "../api/call.ts";
import { useApiOf, useMay, useSubaccount } from "../api/me.ts";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";
import styles from "./settings.module.css";

export function ReceiptLogo({ settings }: { settings: Settings }) {
  const { id } = useSubaccount();
  const path = useApiOf()("/settings/logo");
  const client = useQueryClient();
  const mayWrite = useMay("settings.write") && settings.closed_at === null;
  const set = useMutation({
    mutationFn: (content: File | undefined) =>
      content ? send<Settings>("PUT", path, { content }) : send<Settings>("DELETE", path),
    onSuccess: (after) => {
      client.setQueryData([id, "settings"], after);
      notifications.show({
        message: after.logo_set_at === null ? "Logo removed" : "Logo saved",
        color: "teal",
      });
    },
  });
  const { logo_set_at } = settings;
  return (
    <Panel title="Logo on receipts">
      <Stack gap="sm" align="flex-start">
        {logo_set_at !== null && (
          <img
            className={styles.logo}
            src={addressOf(path, { at: logo_set_at })}
            alt={`Logo of ${settings.profile.suba_name}`}
          />
        )}
        <Text size="sm" c="dimmed">
          {logo_set_at === null && "Receipts of paid payouts have no logo. "}
          PNG or JPEG, max 200 kB and 1,200 pixels on each side.
        </Text>
        <Problem error={set.error} />
        {mayWrite && (
          <Group gap="xs">
            <FileButton
              accept="image/png,image/jpeg"
              onChange={(file) => file && set.mutate(file)}
              disabled={set.isPending}
            >
              {(props) => (
                <Button {...props} variant="default" loading={set.isPending}>
                  {logo_set_at === null ? "Choose logo" : "Choose another"}
                </Button>
              )}
            </FileButton>
            {logo_set_at !== null && (
              <Button
                variant="default"
                disabled={set.isPending}
                onClick={() => set.mutate(undefined)}
              >
                Remove
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </Panel>
  );
}
