// The console's top: which subaccount, sandbox or live, search, times, and the person.

import { Burger, Kbd, SegmentedControl, UnstyledButton } from "@mantine/core";
import { spotlight } from "@mantine/spotlight";
import { Search as SearchIcon } from "lucide-react";
import { useCurrentSubaccount } from "../api/me.ts";
import { Status } from "../parts/status.tsx";
import type { Liveness } from "./live.ts";
import { LiveDot } from "./live-dot.tsx";
import styles from "./shell.module.css";
import { SubaccountSwitcher } from "./subaccount-switcher.tsx";
import { UserMenu } from "./user-menu.tsx";
import { setZone, useZone, type Zone } from "./zone.ts";

export function TopBar({
  isNavOpen,
  onToggleNav,
  liveness,
}: {
  isNavOpen: boolean;
  onToggleNav: () => void;
  liveness: Liveness;
}) {
  const subaccount = useCurrentSubaccount();
  const zone = useZone();
  return (
    <div className={styles.bar}>
      <Burger
        opened={isNavOpen}
        onClick={onToggleNav}
        hiddenFrom="sm"
        size="sm"
        aria-label={isNavOpen ? "Close the menu" : "Open the menu"}
        aria-expanded={isNavOpen}
      />
      <SubaccountSwitcher />
      {subaccount && <Status of="mode" value={subaccount.mode} />}
      <UnstyledButton className={styles.search} onClick={spotlight.open} aria-label="Search">
        <SearchIcon size={15} aria-hidden />
        <span className={styles.searchWord}>Search</span>
        <Kbd size="xs" className={styles.searchKey as string}>
          {isApple() ? "⌘K" : "Ctrl K"}
        </Kbd>
      </UnstyledButton>
      {subaccount && <LiveDot liveness={liveness} />}
      <SegmentedControl
        className={styles.zone as string}
        aria-label="Times shown"
        value={zone}
        onChange={(value) => setZone(value as Zone)}
        data={[
          { value: "local", label: "Local" },
          { value: "utc", label: "UTC" },
        ]}
      />
      <UserMenu />
    </div>
  );
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}
