// The top bar: subaccount, mode, search, time zone, and the user's menu.

import { Burger, Kbd, SegmentedControl, UnstyledButton } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { spotlight } from "@mantine/spotlight";
import { lazy, Suspense } from "react";
import { useFramedSubaccount, useMe } from "../api/me.ts";
import { SearchIcon } from "../parts/icons.tsx";
import { Status } from "../parts/status.tsx";
import { setZone, useZone, type Zone } from "../state/zone.ts";
import { shellTexts } from "../texts/shell.ts";
import type { Liveness } from "./live.ts";
import { LiveDot } from "./live-dot.tsx";
import styles from "./shell.module.css";

// Their fallbacks show the same content until they are loaded.
const SubaccountSwitcher = lazy(async () => ({
  default: (await import("./subaccount-switcher.tsx")).SubaccountSwitcher,
}));
const UserMenu = lazy(async () => ({ default: (await import("./user-menu.tsx")).UserMenu }));

export function TopBar({
  isNavOpen,
  onToggleNav,
  liveness,
}: {
  isNavOpen: boolean;
  onToggleNav: () => void;
  liveness: Liveness;
}) {
  const subaccount = useFramedSubaccount();
  const zone = useZone();
  // Here, because the search itself is loaded later.
  useHotkeys([["mod+K", spotlight.open]], []);
  return (
    <div className={styles.bar}>
      <Burger
        opened={isNavOpen}
        onClick={onToggleNav}
        hiddenFrom="sm"
        size="sm"
        aria-label="Open menu"
        aria-expanded={isNavOpen}
      />
      <Subaccount />
      {subaccount && <Status of="mode" value={subaccount.mode} />}
      <UnstyledButton className={styles.search} onClick={spotlight.open}>
        <SearchIcon size={15} aria-hidden />
        <span className={styles.searchWord}>{shellTexts.search}</span>
        <Kbd size="xs" className={styles.searchKey as string} aria-hidden>
          {isApple() ? "⌘K" : "Ctrl K"}
        </Kbd>
      </UnstyledButton>
      {subaccount && <LiveDot liveness={liveness} />}
      <SegmentedControl
        className={styles.zone as string}
        aria-label={shellTexts.timeZone}
        value={zone}
        onChange={(value) => setZone(value as Zone)}
        data={[
          { value: "local", label: "Local" },
          { value: "utc", label: shellTexts.utc },
        ]}
      />
      <Suspense fallback={<span className={styles.userPlace} />}>
        <UserMenu />
      </Suspense>
    </div>
  );
}

function Subaccount() {
  const { subaccounts, has_more_subaccounts } = useMe();
  const current = useFramedSubaccount();
  if (subaccounts.length === 0) return null;
  const name = <span className={styles.subaccount}>{current?.name ?? allSubaccounts}</span>;
  if (subaccounts.length === 1 && !has_more_subaccounts) return name;
  return (
    <Suspense fallback={name}>
      <SubaccountSwitcher />
    </Suspense>
  );
}

const allSubaccounts = shellTexts.allSubaccounts;

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}
