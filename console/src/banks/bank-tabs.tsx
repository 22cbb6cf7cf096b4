// Leads between the pages about banks.

import { Tabs } from "@mantine/core";
import { Link, useLocation } from "@tanstack/react-router";
import { inboundTexts } from "../texts/bank-inbound.ts";
import { banksTexts } from "../texts/banks.ts";
import { suspenseTexts } from "../texts/suspense.ts";

const pages = [
  { to: "/banks", label: banksTexts.toBanks },
  { to: "/banks/inbound", label: inboundTexts.fromBanks },
  { to: "/banks/suspense", label: suspenseTexts.suspense },
] as const;

export function BankTabs() {
  const { pathname } = useLocation();
  return (
    <nav aria-label={banksTexts.pages}>
      <Tabs value={pathname}>
        <Tabs.List role="presentation">
          {pages.map(({ to, label }) => (
            <Tabs.Tab
              key={to}
              value={to}
              role={undefined as never}
              tabIndex={0}
              aria-current={pathname === to ? "page" : undefined}
              renderRoot={(props) => {
                const { role: _role, "aria-selected": _selected, type: _type, ...rest } = props;
                return <Link {...rest} to={to as never} />;
              }}
            >
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
    </nav>
  );
}
