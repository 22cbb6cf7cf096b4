// The months that are not closed yet: what stops each, with a link to where it is put right.

import { List, Text } from "@mantine/core";
import type { OpenMonth, OpenMonths } from "@server/doors/console/statements/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { onePageOf } from "../api/page.ts";
import { Empty } from "../parts/empty.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { monthText } from "../state/months.ts";
import { statementsTexts } from "../texts/statements.ts";

export function OpenMonthTable() {
  const list = useQuery({
    queryKey: ["banks", "reconcile", "months"],
    queryFn: ({ signal }) => get<OpenMonths>("/reconcile/months", {}, signal),
  });
  return (
    <PageTable
      label={statementsTexts.openMonths}
      columns={columns}
      page={onePageOf(list)}
      rowKey={({ connection_id, month }) => `${connection_id} ${month}`}
      empty={<Empty title="No open months" hint="A month is listed from its first statement on." />}
    />
  );
}

/** Where on the page of the connection each is put right. */
const tabs: Record<string, string> = {
  BANK483: "?tab=statements",
  BANK484: "?tab=exceptions",
  BANK485: "?tab=lines",
  BANK490: "?tab=exceptions",
  BANK491: "?tab=exceptions",
  BANK492: "?tab=exceptions",
};

const columns: Column<OpenMonth>[] = [
  { key: "month", phone: "lead", title: "Month", cell: ({ month }) => monthText(month) },
  {
    key: "bank",
    phone: "lead-end",
    title: statementsTexts.bank,
    cell: ({ connection_id, connection_name }) => (
      <PageLink to={`/reconcile/banks/${connection_id}`}>{connection_name}</PageLink>
    ),
  },
  {
    key: "stops",
    phone: "foot",
    title: "What still stops it",
    cell: ({ connection_id, stops }) => {
      const page = `/reconcile/banks/${connection_id}`;
      if (stops.length === 0) return <PageLink to={page}>Nothing: close it</PageLink>;
      return (
        <List size="sm" listStyleType="none">
          {stops.map(({ code, message, cure }) => (
            <List.Item key={code}>
              <PageLink to={`${page}${tabs[code] ?? ""}`}>{message}</PageLink>
              <Text size="xs" c="dimmed">
                {cure}
              </Text>
            </List.Item>
          ))}
        </List>
      );
    },
  },
];
