// Leads between the pages of Reconcile.

import { PageTabs } from "../parts/page-tabs.tsx";
import { statementsTexts } from "../texts/statements.ts";

const pages = [
  { to: "/reconcile", label: statementsTexts.toOverview },
  { to: "/reconcile/exceptions", label: statementsTexts.toExceptions },
  { to: "/reconcile/statements", label: statementsTexts.toStatements },
  { to: "/reconcile/closings", label: statementsTexts.toClosings },
] as const;

export function ReconcileTabs() {
  return <PageTabs label={statementsTexts.pages} pages={pages} />;
}
