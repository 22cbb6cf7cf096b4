// Leads between the pages of Reconcile.

import { PageTabs } from "../parts/page-tabs.tsx";
import { statementsTexts } from "../texts/statements.ts";

const pages = [
  { to: "/reconcile", label: "Overview" },
  { to: "/reconcile/exceptions", label: "Exceptions" },
  { to: "/reconcile/statements", label: statementsTexts.toStatements },
  { to: "/reconcile/closings", label: statementsTexts.toClosings },
] as const;

export function ReconcileTabs() {
  return <PageTabs label="Pages of Reconcile" pages={pages} />;
}
