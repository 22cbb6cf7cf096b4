// The lists over all bank connections: exceptions, statements, closed months.

import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { PageLink } from "../parts/page-link.tsx";
import { Screen } from "../parts/screen.tsx";
import { statementsTexts } from "../texts/statements.ts";
import { ApplyStatement } from "./apply-statement.tsx";
import { ClosingTable } from "./closing-table.tsx";
import { ExceptionTable } from "./exception-table.tsx";
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
      <Text size="sm" c="dimmed">
        A month is closed where its bank meets the books:{" "}
        <PageLink to="/reconcile" underline="always">
          {statementsTexts.reconcile}
        </PageLink>
        .
      </Text>
      <ClosingTable />
    </ListScreen>
  );
}
