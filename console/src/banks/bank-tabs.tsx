// Leads between the pages about banks.

import { Link } from "@tanstack/react-router";
import { inboundTexts } from "../texts/bank-inbound.ts";
import { banksTexts } from "../texts/banks.ts";
import { calendarTexts } from "../texts/calendar.ts";
import { suspenseTexts } from "../texts/suspense.ts";
import styles from "./banks.module.css";

const pages = [
  { to: "/banks", label: banksTexts.toBanks },
  { to: "/banks/inbound", label: inboundTexts.fromBanks },
  { to: "/banks/suspense", label: suspenseTexts.suspense },
  { to: "/banks/calendar", label: calendarTexts.calendar },
] as const;

export function BankTabs() {
  return (
    <nav aria-label={banksTexts.pages} className={styles.tabs}>
      {pages.map(({ to, label }) => (
        <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
