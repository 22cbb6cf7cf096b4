// One session: browser or command line, IP address, and times.

import { Group, Stack, Text } from "@mantine/core";
import type { SessionRow } from "@server/doors/console/account/schema.ts";
import { Monitor, Smartphone, Terminal } from "../parts/icons.tsx";
import { When } from "../parts/when.tsx";
import styles from "./account.module.css";
import { deviceOf } from "./device.ts";

const icons = { browser: Monitor, phone: Smartphone, "command line": Terminal };

export function SessionFacts({ session }: { session: SessionRow }) {
  const { name, kind } = deviceOf(session.user_agent);
  const Icon = icons[kind];
  return (
    <Group gap="sm" wrap="nowrap" miw={0}>
      <Icon size={18} strokeWidth={1.7} className={styles.icon as string} aria-hidden />
      <Stack gap={0} miw={0}>
        <Text size="sm" fw={500} truncate>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {session.ip} · seen <When ms={session.last_seen_at} /> · since{" "}
          <When ms={session.created_at} />
          {kind === "command line" && (
            <>
              {" "}
              · until <When ms={session.expires_at} isDeadline />
            </>
          )}
        </Text>
      </Stack>
    </Group>
  );
}
