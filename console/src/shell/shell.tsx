// The frame of every screen: navigation, top bar, and the shared dialogs.

import { AppShell, CloseButton } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { Outlet, useLocation } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef } from "react";
import { useFramedSubaccount } from "../api/me.ts";
import { BrandMark } from "../parts/mark.tsx";
import { useLive } from "./live.ts";
import { Nav } from "./nav.tsx";
import { OfflineBanner } from "./offline-banner.tsx";
import { QuarantineBanner } from "./quarantine-banner.tsx";
import { useRowKeys } from "./row-keys.ts";
import styles from "./shell.module.css";
import { openShortcuts } from "./shortcuts-open.ts";
import { TopBar } from "./top-bar.tsx";

// Loaded after the first screen.
const Search = lazy(async () => ({ default: (await import("./search.tsx")).Search }));
const Notifications = lazy(async () => ({
  default: (await import("@mantine/notifications")).Notifications,
}));
const Shortcuts = lazy(async () => ({ default: (await import("./shortcuts.tsx")).Shortcuts }));
const StepUpDialog = lazy(async () => ({
  default: (await import("./step-up-dialog.tsx")).StepUpDialog,
}));

export function Shell() {
  const [isNavOpen, { toggle, close }] = useDisclosure();
  const subaccount = useFramedSubaccount();
  const liveness = useLive(subaccount?.id);
  const main = useRef<HTMLElement>(null);
  useFocusOnNewPage(main);
  useFocusAfterRemoval(main);
  useRowKeys();
  // Some keyboards have it without Shift.
  useHotkeys([
    ["shift+?", openShortcuts],
    ["?", openShortcuts],
  ]);
  return (
    <>
      <a href="#main" className={styles.skip}>
        Skip to content
      </a>
      <AppShell
        layout="alt"
        header={{ height: 52 }}
        navbar={{ width: 220, breakpoint: "sm", collapsed: { mobile: !isNavOpen } }}
        padding={{ base: "md", sm: "lg" }}
        className={styles.shell as string}
        data-mode={subaccount?.mode}
      >
        <AppShell.Header className={styles.header as string}>
          <TopBar isNavOpen={isNavOpen} onToggleNav={toggle} liveness={liveness} />
        </AppShell.Header>
        <AppShell.Navbar
          className={styles.nav as string}
          aria-label="Main"
          data-open={isNavOpen || undefined}
        >
          <div className={styles.brand}>
            <BrandMark size={22} />
            <span>Disburse</span>
            <CloseButton
              hiddenFrom="sm"
              ml="auto"
              onClick={close}
              aria-label="Close menu"
              size="lg"
            />
          </div>
          <Nav onNavigate={close} />
        </AppShell.Navbar>
        <AppShell.Main id="main" ref={main} tabIndex={-1} className={styles.main as string}>
          <OfflineBanner />
          <QuarantineBanner />
          <Outlet />
        </AppShell.Main>
      </AppShell>
      <Suspense fallback={null}>
        <Notifications position="bottom-right" autoClose={4000} />
        <StepUpDialog />
        <Search />
        <Shortcuts />
      </Suspense>
    </>
  );
}

/** A browser does this for a full page load. Without it, a screen reader would not notice the new page. */
function useFocusOnNewPage(main: React.RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname, main]);
}

/** After a decision its button is gone, and the focus with it. The page takes it, so that the next key counts. */
function useFocusAfterRemoval(main: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last: Element | undefined;
    let wait: number | undefined;
    const note = ({ target }: FocusEvent) => {
      last = target instanceof Element ? target : undefined;
    };
    const removals = new MutationObserver(() => {
      if (!last || last.isConnected) return;
      last = undefined;
      window.clearTimeout(wait);
      // A dialog that closes gives the focus back first.
      wait = window.setTimeout(() => {
        if (document.activeElement === document.body) main.current?.focus({ preventScroll: true });
      }, 50);
    });
    document.addEventListener("focusin", note);
    removals.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener("focusin", note);
      removals.disconnect();
      window.clearTimeout(wait);
    };
  }, [main]);
}
