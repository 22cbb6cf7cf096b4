// The calendar of a bank connection: when a payout that is released now arrives, banking days, cut-offs, and what is
// expected to arrive.

import { Select, Text } from "@mantine/core";
import type { BankCalendar } from "@server/doors/console/bank-calendar/schema.ts";
import type { BankList } from "@server/doors/console/banks/schema.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { Empty } from "../parts/empty.tsx";
import { Facts } from "../parts/facts.tsx";
import { MonthField } from "../parts/month-field.tsx";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";
import { Screen } from "../parts/screen.tsx";
import { When } from "../parts/when.tsx";
import { PageLoading } from "../shell/page-states.tsx";
import { useFilters } from "../state/filters.ts";
import { monthOf, monthsLater } from "../state/months.ts";
import { CalendarMonth, dateText } from "./calendar-month.tsx";

/** A cut-off passes without any event. */
const everyMs = 60_000;
const monthsAhead = 24;

export function CalendarScreen() {
  const [{ connection: chosen, month }, setFilters] = useFilters();
  const list = useQuery({
    queryKey: ["banks"],
    queryFn: ({ signal }) => get<BankList>("/banks", {}, signal),
  });
  const connections = (list.data?.rows ?? []).filter(({ next }) => next !== null);
  const connection = connections.find(({ id }) => id === chosen) ?? connections[0];
  return (
    <Screen
      actions={
        connection && (
          <>
            <Select
              aria-label="Bank connection"
              size="xs"
              w={220}
              allowDeselect={false}
              data={connections.map(({ id, name }) => ({ value: id, label: name }))}
              value={connection.id}
              onChange={(id) => setFilters({ connection: id ?? undefined })}
            />
            <MonthField
              month={month}
              last={monthsLater(monthOf(Date.now()), monthsAhead)}
              onChange={(to) => setFilters({ month: to })}
            />
          </>
        )
      }
    >
      <Problem error={list.error} onRetry={() => void list.refetch()} />
      {!list.data && !list.error && <PageLoading />}
      {list.data && !connection && (
        <Empty
          title="No bank connections yet"
          hint="A bank connection has banking days and a cut-off. Add one under Bank files."
        />
      )}
      {connection && <CalendarOf key={connection.id} id={connection.id} month={month} />}
    </Screen>
  );
}

function CalendarOf({ id, month }: { id: string; month: string | undefined }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["banks", id, "calendar", month],
    queryFn: ({ signal }) =>
      get<BankCalendar>(`/banks/connections/${id}/calendar`, { month }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: everyMs,
  });
  if (!data) {
    return error ? <Problem error={error} onRetry={() => void refetch()} /> : <PageLoading />;
  }
  const { now, time_zone, freeze_at, bank_cutoff } = data;
  return (
    <>
      <Panel title="A payout that is released now">
        <Facts
          items={[
            { label: "Its file is frozen", value: <When ms={now.freezes_at} isPlanned /> },
            { label: "The bank takes the file until", value: <When ms={now.cutoff} isDeadline /> },
            { label: "Processed by the bank on", value: dateText(now.process_date) },
            { label: "Expected arrival", value: dateText(now.expected_arrival) },
          ]}
        />
      </Panel>
      <Text size="sm" c="dimmed" maw={820}>
        {`On each day on which the bank processes files, they are frozen at ${freeze_at} and the bank takes them until ${bank_cutoff}. Times and days are those of ${time_zone}.`}
      </Text>
      <CalendarMonth calendar={data} />
    </>
  );
}
