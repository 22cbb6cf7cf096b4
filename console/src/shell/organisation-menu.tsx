// The organisation's menu, at the foot of the navigation: settings, users, audit log, and the quickstart once it is done.

import { Menu, Text, UnstyledButton } from "@mantine/core";
import { Link, useLocation } from "@tanstack/react-router";
import { useCurrentSubaccount, useMe } from "../api/me.ts";
import { Building2, ChevronsUpDown } from "../parts/icons.tsx";
import { organisationPages, quickstartPage } from "./nav-items.ts";
import { addressIn, isOfCompany, isSeen, pageAt } from "./pages.ts";
import styles from "./shell.module.css";

export function OrganisationMenu({
  isQuickstartOpen,
  onNavigate,
}: {
  isQuickstartOpen: boolean;
  onNavigate: () => void;
}) {
  const me = useMe();
  const subaccount = useCurrentSubaccount();
  const { pathname } = useLocation();
  const pages = organisationPages.filter(
    (page) => isSeen(page, me, subaccount) && !(isQuickstartOpen && page === quickstartPage),
  );
  if (pages.length === 0) return null;
  const active = pageAt(pathname, pages);
  return (
    <Menu width={200} position="top-start">
      <Menu.Target>
        <UnstyledButton className={styles.organisation} data-active={active ? true : undefined}>
          <Building2 size={16} strokeWidth={1.8} aria-hidden />
          Organisation
          <ChevronsUpDown size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {pages.map((page) => {
          const { label, icon: Icon } = page;
          return (
            <Menu.Item
              key={label}
              leftSection={<Icon size={15} aria-hidden />}
              onClick={onNavigate}
              renderRoot={(props) => (
                <Link
                  {...props}
                  to={addressIn(page, subaccount) as never}
                  aria-current={page === active ? "page" : undefined}
                />
              )}
            >
              {label}
              <Text span className={styles.scope} aria-hidden>
                {isOfCompany(page) ? "Company" : subaccount?.name}
              </Text>
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
