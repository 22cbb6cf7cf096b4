// The lists of Reconcile over all bank connections: exceptions, statements, closed months.

import type { ReactNode } from "react";
import { Screen } from "../parts/screen.tsx";
import { statementsTexts } from "../texts/statements.ts";
import { ApplyStatement } from "./apply-statement.tsx";
import { ClosingTable } from "./closing-table.tsx";
import { ExceptionTable } from "./exception-table.tsx";
import { ReconcileTabs } from "./reconcile-tabs.tsx";
import { StatementTable } from "./statement-table.tsx";

function ListScreen({ children }: { children: ReactNode }) {
  return (
    <Screen title={statementsTexts.reconcile} actions={<ApplyStatement />}>
      <ReconcileTabs />
      {children}
    </Screen>
  );
}

export function ExceptionsScreen() {
  return (
    <ListScreen>
      <ExceptionTable />
    </ListScreen>
  );
}

export function StatementsScreen() {
  return (
    <ListScreen>
      <StatementTable />
    </ListScreen>
  );
}

export function ClosingsScreen() {
  return (
    <ListScreen>
      <ClosingTable />
    </ListScreen>
  );
}
