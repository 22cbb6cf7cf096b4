// One bank connection against the books: its position, open lines, items in transit, exceptions, statements, closed months.

import { Stack, Tabs } from "@mantine/core";
import type { TransitItem } from "@server/doors/console/statements/schema.ts";
import { useParams } from "@tanstack/react-router";
import { usePage } from "../api/page.ts";
import { CsvMappingButton } from "../banks/csv-mapping-dialog.tsx";
import { TestMark } from "../banks/test-mark.tsx";
import { Empty } from "../parts/empty.tsx";
import { Money } from "../parts/money.tsx";
import { MonthField } from "../parts/month-field.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Panel } from "../parts/panel.tsx";
import { Screen } from "../parts/screen.tsx";
import { LoadingScreen } from "../shell/page-states.tsx";
import { useFilters } from "../state/filters.ts";
import { useTab } from "../state/tab.ts";
import { calendarDayText } from "../state/time.ts";
import { statementsTexts } from "../texts/statements.ts";
import { ApplyStatement } from "./apply-statement.tsx";
import { ClosingTable } from "./closing-table.tsx";
import { ExceptionTable } from "./exception-table.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { itemPage } from "./item-page.ts";
import { OpenLineTable } from "./open-lines.tsx";
import { usePosition } from "./position.ts";
import { ClosingState, PositionActions, PositionFigures } from "./position-figures.tsx";
import { StatementTable } from "./statement-table.tsx";

const tabs = ["lines", "transit", "exceptions", "statements", "closings"] as const;

export function ConnectionScreen() {
  const { connectionId = "" } = useParams({ strict: false });
  const [{ month }, setFilters] = useFilters();
  const [tab, choose] = useTab(tabs);
  const { data, error, refetch } = usePosition(connectionId, month);
  const back = <PageLink to="/reconcile">{statementsTexts.reconcile}</PageLink>;
  if (!data)
    return (
      <LoadingScreen title={statementsTexts.bank} above={back} error={error} onRetry={refetch} />
    );
  return (
    <Screen
      title={data.name}
      above={back}
      beside={<TestMark mode={data.mode} />}
      actions={
        <>
          <MonthField month={month} onChange={(chosen) => setFilters({ month: chosen })} />
          <CsvMappingButton id={data.id} name={data.name} />
          {data.closing && <ApplyStatement connectionId={data.id} />}
          <PositionActions position={data} />
        </>
      }
    >
      <FirstSteps position={data} />
      <Panel>
        <Stack gap="sm">
          <PositionFigures position={data} />
          <ClosingState position={data} />
        </Stack>
      </Panel>
      <Tabs value={tab} onChange={choose} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="lines">{statementsTexts.openLines}</Tabs.Tab>
          <Tabs.Tab value="transit">{statementsTexts.inTransitItems}</Tabs.Tab>
          <Tabs.Tab value="exceptions">{statementsTexts.exceptions}</Tabs.Tab>
          <Tabs.Tab value="statements">{statementsTexts.toStatements}</Tabs.Tab>
          <Tabs.Tab value="closings">{statementsTexts.toClosings}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="lines" pt="sm">
          <OpenLineTable connectionId={data.id} />
        </Tabs.Panel>
        <Tabs.Panel value="transit" pt="sm">
          <TransitTable connectionId={data.id} month={month} />
        </Tabs.Panel>
        <Tabs.Panel value="exceptions" pt="sm">
          <ExceptionTable connectionId={data.id} />
        </Tabs.Panel>
        <Tabs.Panel value="statements" pt="sm">
          <StatementTable connectionId={data.id} />
        </Tabs.Panel>
        <Tabs.Panel value="closings" pt="sm">
          <ClosingTable connectionId={data.id} />
        </Tabs.Panel>
      </Tabs>
    </Screen>
  );
}

const transitColumns: Column<TransitItem>[] = [
  {
    key: "item",
    title: "Item",
    cell: ({ item, text }) => {
      const to = itemPage(item);
      return to ? <PageLink to={to}>{text}</PageLink> : text;
    },
  },
  { key: "day", title: statementsTexts.day, cell: ({ day }) => calendarDayText(day) || "–" },
  {
    key: "amount",
    title: "The books less the bank",
    align: "right",
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
];

function TransitTable({
  connectionId,
  month,
}: {
  connectionId: string;
  month: string | undefined;
}) {
  const path = `/reconcile/banks/${connectionId}/in-transit`;
  const page = usePage<TransitItem>(["banks", "reconcile"], path, { month });
  return (
    <PageTable
      label={statementsTexts.inTransitItems}
      columns={transitColumns}
      page={page}
      rowKey={({ item }) => item}
      empty={
        <Empty
          title="Nothing is in transit"
          hint="Every item of the books is on a statement, and the other way round."
        />
      }
    />
  );
}
