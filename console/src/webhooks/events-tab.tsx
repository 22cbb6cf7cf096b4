// All events, newest first, with their delivery status.

import { Button, Group, Stack } from "@mantine/core";
import type { EventLine } from "@server/console/events/schema.ts";
import type { Webhook } from "@server/console/webhooks/schema.ts";
import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { useApiOf, useMay, usePageOf, useSubaccount } from "../api/me.ts";
import { usePage } from "../api/page.ts";
import { Empty } from "../parts/empty.tsx";
import { ExportButton } from "../parts/export-button.tsx";
import { type Filter, FilterBar } from "../parts/filter-bar.tsx";
import { IdChip, shortOf } from "../parts/id-chip.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { momentsOf } from "../state/day-range.ts";
import { useFilters } from "../state/filters.ts";
import { useZone } from "../state/zone.ts";
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
      { value: "undelivered", label: webhooksTexts.failed },
      { value: "unsent", label: webhooksTexts.notSent },
    ],
  },
  {
    name: "type",
    label: webhooksTexts.type,
    kind: "choice",
    options: types.map((type) => ({ value: type, label: type })),
  },
  { name: "from", label: webhooksTexts.from, kind: "day" },
  { name: "to", label: webhooksTexts.to, kind: "day" },
  {
    name: "payout_id",
    label: webhooksTexts.payout,
    kind: "text",
    placeholder: webhooksTexts.payoutId,
  },
  { name: "receiver_id", label: webhooksTexts.receiver, kind: "receiver" },
];

const columns: readonly Column<EventLine>[] = [
  { key: "created", title: webhooksTexts.created, cell: (row) => <When ms={row.created_at} /> },
  {
    key: "type",
    title: webhooksTexts.type,
    isLink: true,
    cell: (row) => (
      <>
        {row.type} {row.is_test && <TestBadge />}
      </>
    ),
  },
  { key: "status", title: webhooksTexts.status, cell: (row) => <EventStatus row={row} /> },
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
  { key: "reference", title: webhooksTexts.reference, cell: (row) => row.reference || "–" },
  { key: "id", title: webhooksTexts.eventId, cell: (row) => <IdChip id={row.id} short /> },
];

export function EventsTab({ webhook }: { webhook: Webhook | undefined }) {
  const { id, is_closed } = useSubaccount();
  const apiOf = useApiOf();
  const pageOf = usePageOf();
  const zone = useZone();
  const [values, setValues] = useFilters();
  const [isRecovering, setRecovering] = useState(false);
  const mayWrite = useMay("webhooks.write") && Boolean(webhook?.url) && !is_closed;
  const { type, status, payout_id, receiver_id, from, to } = values;
  const query = { type, status, payout_id, receiver_id, ...momentsOf({ from, to }, zone) };
  const page = usePage<EventLine>([id, "events"], apiOf("/events"), query);
  const types = webhook?.known_types.map((known) => known.type) ?? (type ? [type] : []);
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
              {webhooksTexts.resendAllFailed}
            </Button>
          )}
          <ExportButton path={apiOf("/events.csv")} query={query} />
        </Group>
      </Group>
      <PageTable
        label={webhooksTexts.events}
        columns={columns}
        page={page}
        rowKey={(row) => row.id}
        rowHref={(row) => pageOf("webhooks", "events", row.id)}
        rowName={({ id }) => `event ${shortOf(id)}`}
        empty={
          isFiltered ? (
            <Empty title={webhooksTexts.noMatchingEvents} />
          ) : (
            <Empty
              title={webhooksTexts.noEventsYet}
              hint={webhooksTexts.changesOfPayoutsAndIdentityChecks}
              line={`./disburse events trigger payoutCreated --subaccount ${id}`}
            />
          )
        }
      />
      <RecoverDialog opened={isRecovering} onClose={() => setRecovering(false)} />
    </Stack>
  );
}

/** A pending event with an attempt is being retried. */
function EventStatus({ row: { status, attempt_count } }: { row: EventLine }) {
  const isRetried = status === "waiting" && attempt_count > 0;
  return <Status of="event" value={isRetried ? "retrying" : status} />;
}
