// The navigation on the left: the overview, the quickstart until it is done, five groups, and the organisation's menu.

import { NavLink, Text, Tooltip, VisuallyHidden } from "@mantine/core";
import { Link, useLocation } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useCurrentSubaccount, useMe } from "../api/me.ts";
import { Building2, ExternalLink } from "../parts/icons.tsx";
import { useIsQuickstartOpen } from "../quickstart/progress.ts";
import { navGroups, overviewPage, quickstartPage } from "./nav-items.ts";
import { addressIn, isOfCompany, isSeen, type Page, pageAt } from "./pages.ts";
import styles from "./shell.module.css";
import { useWaiting } from "./waiting.ts";

const OrganisationMenu = lazy(async () => ({
  default: (await import("./organisation-menu.tsx")).OrganisationMenu,
}));

const navPages = [quickstartPage, overviewPage, ...navGroups.flatMap(({ pages }) => pages)];

export function Nav({ onNavigate }: { onNavigate: () => void }) {
  const me = useMe();
  const subaccount = useCurrentSubaccount();
  const isQuickstartOpen = useIsQuickstartOpen();
  const { pathname } = useLocation();
  const active = pageAt(pathname, navPages);
  const first = isQuickstartOpen ? [quickstartPage, overviewPage] : [overviewPage];
  const groups = [{ label: undefined, pages: first }, ...navGroups];
  return (
    <>
      <div className={styles.navScroll}>
        {groups.map(({ label, pages }) => {
          const seen = pages.filter((page) => isSeen(page, me, subaccount));
          if (seen.length === 0) return null;
          return (
            <div key={label ?? ""} className={styles.navGroup}>
              {label && (
                <Text className={styles.navLabel}>
                  {label}
                  {seen.every(isOfCompany) && <CompanyMark />}
                </Text>
              )}
              {seen.map((page) => (
                <Item
                  key={page.label}
                  page={page}
                  address={addressIn(page, subaccount)}
                  isActive={page === active}
                  onClick={onNavigate}
                />
              ))}
            </div>
          );
        })}
      </div>
      <div className={styles.navFoot}>
        <Suspense>
          <OrganisationMenu isQuickstartOpen={isQuickstartOpen} onNavigate={onNavigate} />
        </Suspense>
      </div>
    </>
  );
}

/** Beside the name of what shows all subaccounts. */
function CompanyMark() {
  return (
    <Tooltip label="Pages of the company: all subaccounts">
      <span className={styles.company}>
        <Building2 size={11} aria-hidden />
        Company
      </span>
    </Tooltip>
  );
}

function Item({
  page: { label, icon: Icon, badge, isAway },
  address,
  isActive,
  onClick,
}: {
  page: Page;
  address: string;
  isActive: boolean;
  onClick: () => void;
}) {
  const waiting = useWaiting(badge);
  const shared = {
    label,
    className: styles.navItem as string,
    leftSection: <Icon size={16} strokeWidth={1.8} aria-hidden />,
  };
  if (isAway) {
    const rightSection = (
      <ExternalLink size={13} aria-hidden className={styles.navAway as string} />
    );
    return <NavLink {...shared} href={address} rightSection={rightSection} />;
  }
  return (
    <NavLink
      {...shared}
      active={isActive}
      rightSection={waiting && <WaitingBadge count={waiting} />}
      onClick={onClick}
      renderRoot={(props) => (
        <Link
          {...props}
          to={address as never}
          // The router would also mark Payouts where Imports is open, whose address is below.
          activeOptions={{ exact: true }}
          aria-current={isActive ? "page" : undefined}
        />
      )}
    />
  );
}

function WaitingBadge({ count }: { count: string }) {
  return (
    <span className={styles.badge}>
      {count}
      <VisuallyHidden> waiting</VisuallyHidden>
    </span>
  );
}
