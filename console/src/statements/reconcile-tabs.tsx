// Leads between the statements and what they say about the books.

import { PageTabs } from "../parts/page-tabs.tsx";
import { statementsTexts } from "../texts/statements.ts";

const pages = [
  { to: "/reconcile/statements", label: statementsTexts.toStatements },
  { to: "/reconcile", label: statementsTexts.reconcile },
] as const;

export function ReconcileTabs() {
  return <PageTabs label="Statements and books" pages={pages} />;
}
