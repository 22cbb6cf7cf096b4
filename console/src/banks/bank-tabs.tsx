// Leads between the files that go to banks and those that come from them.

import { PageTabs } from "../parts/page-tabs.tsx";
import { inboundTexts } from "../texts/bank-inbound.ts";

const pages = [
  { to: "/banks", label: "Connections and files" },
  { to: "/banks/inbound", label: inboundTexts.fromBanks },
] as const;

export function BankTabs() {
  return <PageTabs label="Bank files" pages={pages} />;
}
