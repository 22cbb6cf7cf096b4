// Leads between the pages about banks.

import { PageTabs } from "../parts/page-tabs.tsx";
import { inboundTexts } from "../texts/bank-inbound.ts";
import { calendarTexts } from "../texts/calendar.ts";
import { suspenseTexts } from "../texts/suspense.ts";

const pages = [
  { to: "/banks", label: "Connections and files" },
  { to: "/banks/inbound", label: inboundTexts.fromBanks },
  { to: "/banks/suspense", label: suspenseTexts.suspense },
  { to: "/banks/calendar", label: calendarTexts.calendar },
] as const;

export function BankTabs() {
  return <PageTabs label="Pages about banks" pages={pages} />;
}
