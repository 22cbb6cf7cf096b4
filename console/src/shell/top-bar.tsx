// The top bar: subaccount and mode, or the mark of a company page, search, and the user's menu.

import { Burger, Kbd, UnstyledButton } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { spotlight } from "@mantine/spotlight";
import { useLocation } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useFramedSubaccount, useMe } from "../api/me.ts";
import { SearchIcon } from "../parts/icons.tsx";
import { Status } from "../parts/status.tsx";
import { shellTexts } from "../texts/shell.ts";
import type { Liveness } from "./live.ts";
import { isOfCompany, pageAt } from "./pages.ts";
import { searchedPages } from "./search-items.ts";
import styles from "./shell.module.css";
import { searchKeys } from "./shortcuts-open.ts";

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
  const page = pageAt(useLocation().pathname, searchedPages);
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
      {!subaccount && page && isOfCompany(page) && <span className={styles.company}>Company</span>}
      <UnstyledButton className={styles.search} onClick={spotlight.open}>
        <SearchIcon size={15} aria-hidden />
        <span className={styles.searchWord}>{shellTexts.search}</span>
        <Kbd size="xs" className={styles.searchKey as string} aria-hidden>
          {searchKeys}
        </Kbd>
      </UnstyledButton>
      <Suspense fallback={<span className={styles.userPlace} />}>
        <UserMenu liveness={subaccount ? liveness : undefined} />
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
