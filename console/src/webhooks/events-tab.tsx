// All events, newest first, with their delivery status.

import { Button, Group, Stack } from "@mantine/core";
import type { EventLine } from "@server/doors/console/events/schema.ts";
import type { Webhook } from "@server/doors/console/webhooks/schema.ts";
import type { EachResult } from "@server/tenants/acts/schema.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/call.ts";
import { useApiOf, useMay, usePageOf, useSubaccount } from "../api/me.ts";
import { usePage } from "../api/page.ts";
import { ActOnMany } from "../parts/act-on-many.tsx";
import { CutText } from "../parts/cut-text.tsx";
import { Empty } from "../parts/empty.tsx";
import { ExportButton } from "../parts/export-button.tsx";
import { type Filter, FilterBar } from "../parts/filter-bar.tsx";
import { RotateCcw } from "../parts/icons.tsx";
import { IdChip, shortOf } from "../parts/id-chip.tsx";
import { ListTools, useShownColumns } from "../parts/list-tools.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { periodFilters } from "../parts/period-filter.ts";
import { useSelection } from "../parts/selection.ts";
import { SelectionBar } from "../parts/selection-bar.tsx";
import { Status } from "../parts/status.tsx";
import { useSorting } from "../parts/use-sorting.ts";
import { When } from "../parts/when.tsx";
import { momentsOf } from "../state/day-range.ts";
import { useFilters } from "../state/filters.ts";
import { countText } from "../state/locale.ts";
import { useZone } from "../state/zone.ts";
import { listsTexts } from "../texts/lists.ts";
import { webhooksTexts } from "../texts/webhooks.ts";
import { RecoverDialog } from "./recover-dialog.tsx";
import { TestBadge } from "./test-badge.tsx";

const filtersOf = (types: readonly string[]): Filter[] => [
  {
    name: "status",
    label: webhooksTexts.status,
    kind: "choice",
    options: [
      { value: "waiting", label: webhooksTexts.pending },
      { value: "delivered", label: webhooksTexts.delivered },
      { value: "undelivered", label: webhooksTexts.abandoned },
      { value: "unsent", label: "Not sent" },
    ],
  },
  {
    name: "type",
    label: webhooksTexts.type,
    kind: "choice",
    options: types.map((type) => ({ value: type, label: type })),
  },
  ...periodFilters,
  {
    name: "payout_id",
    label: webhooksTexts.payout,
    kind: "text",
    isExtra: true,
    placeholder: "Payout ID",
  },
  { name: "receiver_id", label: webhooksTexts.receiver, kind: "receiver" },
];

const columns: readonly Column<EventLine>[] = [
  {
    key: "created",
    title: webhooksTexts.created,
    phone: "sub",
    sort: "-created",
    cell: (row) => <When ms={row.created_at} />,
  },
  {
    key: "type",
    title: webhooksTexts.type,
    isLink: true,
    phone: "lead",
    cell: (row) => (
      <>
        {row.type} {row.is_test && <TestBadge />}
      </>
    ),
  },
  {
    key: "status",
    title: webhooksTexts.status,
    phone: "lead-end",
    cell: (row) => <EventStatus row={row} />,
  },
  {
    key: "attempts",
    title: webhooksTexts.attempts,
    align: "right",
    cell: (row) => row.attempt_count,
  },
  {
    key: "next",
    title: webhooksTexts.nextAttempt,
    cell: (row) =>
      row.next_attempt_at === null ? "–" : <When ms={row.next_attempt_at} isPlanned />,
  },
  {
    key: "reference",
    title: webhooksTexts.reference,
    phone: "sub-middle",
    cell: (row) => <CutText>{row.reference || "–"}</CutText>,
  },
  {
    key: "id",
    title: webhooksTexts.eventId,
    phone: "sub-end",
    cell: (row) => <IdChip id={row.id} short />,
  },
];

export function EventsTab({ webhook }: { webhook: Webhook | undefined }) {
  const { id, is_closed } = useSubaccount();
  const apiOf = useApiOf();
  const pageOf = usePageOf();
  const zone = useZone();
  const [values, setValues] = useFilters();
  const [isRecovering, setRecovering] = useState(false);
  const mayWrite = useMay("webhooks.write") && Boolean(webhook?.url) && !is_closed;
  const { type, status, payout_id, receiver_id } = values;
  const query = { type, status, payout_id, receiver_id, ...momentsOf(values, zone) };
  const sorting = useSorting("-created");
  const page = usePage<EventLine>([id, "events"], apiOf("/events"), {
    ...query,
    sort: values.sort,
  });
  const client = useQueryClient();
  const selection = useSelection<EventLine>((row) => row.id, JSON.stringify([id, query]));
  const types = webhook?.known_types.map((known) => known.type) ?? (type ? [type] : []);
  const shownColumns = useShownColumns(columns);
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <FilterBar filters={filtersOf(types)} value={values} onChange={setValues} />
        <Group gap="xs">
          {mayWrite && (
            <Button
              variant="default"
              leftSection={<RotateCcw size={15} aria-hidden />}
              onClick={() => setRecovering(true)}
            >
              Resend all failed
            </Button>
          )}
          <ListTools list="events" columns={columns} sorting={sorting} />
          <ExportButton path={apiOf("/events.csv")} query={query} />
        </Group>
      </Group>
      <PageTable
        label={webhooksTexts.events}
        columns={shownColumns}
        page={page}
        rowKey={(row) => row.id}
        rowHref={(row) => pageOf("webhooks", "events", row.id)}
        rowName={({ id }) => `event ${shortOf(id)}`}
        sorting={sorting}
        selection={mayWrite ? selection : undefined}
        empty={
          isFiltered ? (
            <Empty title="No matching events" hint={listsTexts.removeAFilter} />
          ) : (
            <Empty
              title="No events yet"
              hint="Changes of payouts and identity checks create events. Send a test event to try it."
            />
          )
        }
      />
      <SelectionBar selection={selection}>
        <ActOnMany
          label={`Resend ${countText(selection.rows.length)}`}
          title={`Resend ${countText(selection.rows.length)} ${selection.rows.length === 1 ? "event" : "events"}`}
          text="Each event is sent again to the webhook endpoint."
          items={selection.rows.map((row) => ({
            id: row.id,
            name: `${row.type} ${shortOf(row.id)}`,
          }))}
          onAct={async (ids) =>
            (await send<EachResult>("POST", apiOf("/events/many/resend"), { ids })).results
          }
          onDone={() => {
            selection.clear();
            void client.invalidateQueries({ queryKey: [id, "events"] });
          }}
        />
      </SelectionBar>
      <RecoverDialog opened={isRecovering} onClose={() => setRecovering(false)} />
    </Stack>
  );
}

/** A pending event with an attempt is being retried. */
function EventStatus({ row: { status, attempt_count } }: { row: EventLine }) {
  const isRetried = status === "waiting" && attempt_count > 0;
  return <Status of="event" value={isRetried ? "retrying" : status} />;
}
