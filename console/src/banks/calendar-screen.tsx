// The calendar of a bank connection: when a payout that is released now arrives, banking days, cut-offs, and what is
// expected to arrive.

import { Select, Text } from "@mantine/core";
import type { BankCalendar } from "@server/console/bank-calendar/schema.ts";
import type { BankList } from "@server/console/banks/schema.ts";
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
import { calendarTexts } from "../texts/calendar.ts";
import { BankTabs } from "./bank-tabs.tsx";
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
      title={calendarTexts.calendar}
      actions={
        connection && (
          <>
            <Select
              aria-label={calendarTexts.connection}
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
      <BankTabs />
      <Problem error={list.error} onRetry={() => void list.refetch()} />
      {!list.data && !list.error && <PageLoading />}
      {list.data && !connection && (
        <Empty title={calendarTexts.noConnections} hint={calendarTexts.noConnectionsHint} />
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
      <Panel title={calendarTexts.releasedNow}>
        <Facts
          items={[
            { label: calendarTexts.frozen, value: <When ms={now.freezes_at} isPlanned /> },
            { label: calendarTexts.until, value: <When ms={now.cutoff} isPlanned /> },
            { label: calendarTexts.processDate, value: dateText(now.process_date) },
            { label: calendarTexts.arrival, value: dateText(now.expected_arrival) },
          ]}
        />
      </Panel>
      <Text size="sm" c="dimmed" maw={820}>
        {calendarTexts.timesOf(time_zone, freeze_at, bank_cutoff)}
      </Text>
      <CalendarMonth calendar={data} />
    </>
  );
}
