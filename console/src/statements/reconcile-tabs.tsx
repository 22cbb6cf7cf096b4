// Leads between the pages of Reconcile.

import { Link } from "@tanstack/react-router";
import styles from "../banks/banks.module.css";
import { statementsTexts } from "../texts/statements.ts";

const pages = [
  { to: "/reconcile", label: statementsTexts.toOverview },
  { to: "/reconcile/exceptions", label: statementsTexts.toExceptions },
  { to: "/reconcile/statements", label: statementsTexts.toStatements },
  { to: "/reconcile/closings", label: statementsTexts.toClosings },
] as const;

export function ReconcileTabs() {
  return (
    <nav aria-label={statementsTexts.pages} className={styles.tabs}>
      {pages.map(({ to, label }) => (
        <Link key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
