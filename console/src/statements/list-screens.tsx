// The lists over all bank connections: exceptions, statements, closed months.

import { Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Screen } from "../parts/screen.tsx";
import { statementsTexts } from "../texts/statements.ts";
import { ApplyStatement } from "./apply-statement.tsx";
import { ClosingTable } from "./closing-table.tsx";
import { ExceptionTable } from "./exception-table.tsx";
import { OpenMonthTable } from "./open-months.tsx";
import { ReconcileTabs } from "./reconcile-tabs.tsx";
import { StatementTable } from "./statement-table.tsx";

function ListScreen({ children }: { children: ReactNode }) {
  return <Screen actions={<ApplyStatement />}>{children}</Screen>;
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
      <ReconcileTabs />
      <StatementTable />
    </ListScreen>
  );
}

export function ClosingsScreen() {
  return (
    <ListScreen>
      <OpenMonthTable />
      <Title order={2} fz="sm">
        {statementsTexts.toClosings}
      </Title>
      <ClosingTable />
    </ListScreen>
  );
}
