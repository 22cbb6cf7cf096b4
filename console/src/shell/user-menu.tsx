// The user's menu: account, colours, sign out. The connection and the time zone are here while they matter: the connection
// when updates don't arrive as they happen, the time zone where the user's own is not UTC.

import { Menu, Text, UnstyledButton, useMantineColorScheme, VisuallyHidden } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { send } from "../api/call.ts";
import { useMe } from "../api/me.ts";
import { Keyboard, LogOut, UserRound } from "../parts/icons.tsx";
import { isZoneChoice, setZone, useZone, type Zone } from "../state/zone.ts";
import { useConnection } from "./connection.ts";
import type { Liveness } from "./live.ts";
import styles from "./shell.module.css";
import { openShortcuts } from "./shortcuts-open.ts";

/** Without liveness the page has no live updates. */
export function UserMenu({ liveness }: { liveness: Liveness | undefined }) {
  const { name, email, role } = useMe();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const zone = useZone();
  const connection = useConnection(liveness);
  const client = useQueryClient();
  const signOut = async () => {
    await send("POST", "/auth/sign-out").catch(() => undefined);
    client.clear();
    // A full page load, so that nothing of the user stays in memory.
    window.location.assign("/console/sign-in");
  };
  return (
    <Menu width={250} position="bottom-end">
      <VisuallyHidden role="status">{connection?.word}</VisuallyHidden>
      <Menu.Target>
        <UnstyledButton
          className={styles.user}
          aria-label={`Account of ${name}`}
          title={connection?.word}
          data-connection={connection?.kind}
        >
          <span className={styles.avatar} data-initials={initialsOf(name)} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={styles.userHead}>
          <Text size="sm" fw={600} truncate>
            {name}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {email}
          </Text>
          <Text size="xs" c="dimmed" tt="capitalize">
            {role}
          </Text>
        </div>
        {connection && (
          <>
            <Menu.Divider />
            <div className={styles.userHead}>
              <Text size="sm" fw={600}>
                {connection.word}
              </Text>
              <Text size="xs" c="dimmed">
                {connection.meaning}
              </Text>
            </div>
          </>
        )}
        <Menu.Divider />
        <Menu.RadioGroup
          aria-label="Colours"
          value={colorScheme}
          onChange={(value) => setColorScheme(value as typeof colorScheme)}
        >
          <Menu.RadioItem value="auto">Colours of the system</Menu.RadioItem>
          <Menu.RadioItem value="light">Light</Menu.RadioItem>
          <Menu.RadioItem value="dark">Dark</Menu.RadioItem>
        </Menu.RadioGroup>
        {(isZoneChoice() || zone === "utc") && (
          <>
            <Menu.Divider />
            <Menu.RadioGroup
              aria-label="Time zone"
              value={zone}
              onChange={(value) => setZone(value as Zone)}
            >
              <Menu.RadioItem value="local">Local time</Menu.RadioItem>
              <Menu.RadioItem value="utc">UTC</Menu.RadioItem>
            </Menu.RadioGroup>
          </>
        )}
        <Menu.Divider />
        <Menu.Item
          leftSection={<UserRound size={15} aria-hidden />}
          renderRoot={(props) => <Link {...props} to="/account" />}
        >
          Your account
        </Menu.Item>
        <Menu.Item leftSection={<Keyboard size={15} aria-hidden />} onClick={openShortcuts}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item leftSection={<LogOut size={15} aria-hidden />} onClick={signOut}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  return [words[0], words.length > 1 ? words.at(-1) : ""]
    .map((word) => word?.charAt(0).toUpperCase() ?? "")
    .join("");
}
