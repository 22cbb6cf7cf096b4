// The user's menu: account, colours, sign out.

import { Menu, SegmentedControl, Text, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { send } from "../api/call.ts";
import { useMe } from "../api/me.ts";
import { LogOut, UserRound } from "../parts/icons.tsx";
import { setZone, useZone, type Zone } from "../state/zone.ts";
import { shellTexts } from "../texts/shell.ts";
import styles from "./shell.module.css";

export function UserMenu() {
  const { name, email, role } = useMe();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const zone = useZone();
  const client = useQueryClient();
  const signOut = async () => {
    await send("POST", "/auth/sign-out").catch(() => undefined);
    client.clear();
    // A full page load, so that nothing of the user stays in memory.
    window.location.assign("/console/sign-in");
  };
  return (
    <Menu width={250} position="bottom-end">
      <Menu.Target>
        <UnstyledButton className={styles.user} aria-label={`Account of ${name}`}>
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
        <Menu.Divider />
        <div className={styles.userChoice}>
          <SegmentedControl
            fullWidth
            aria-label="Colours"
            value={colorScheme}
            onChange={(value) => setColorScheme(value as typeof colorScheme)}
            data={[
              { value: "auto", label: "System" },
              { value: "light", label: "Light" },
              { value: "dark", label: "Dark" },
            ]}
          />
        </div>
        {/* Small screens have no room for it in the bar. */}
        <div className={styles.userZone}>
          <SegmentedControl
            fullWidth
            aria-label={shellTexts.timeZone}
            value={zone}
            onChange={(value) => setZone(value as Zone)}
            data={[
              { value: "local", label: "Local time" },
              { value: "utc", label: shellTexts.utc },
            ]}
          />
        </div>
        <Menu.Divider />
        <Menu.Item
          leftSection={<UserRound size={15} aria-hidden />}
          renderRoot={(props) => <Link {...props} to="/account" />}
        >
          Your account
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
