// Every event that was to be told, newest first, and what became of it.

import { Button, Group, Stack } from "@mantine/core";
import type { EventLine } from "@server/console/events/schema.ts";
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
import { RecoverDialog } from "./recover-dialog.tsx";
import { TestBadge } from "./test-badge.tsx";

const types = ["payoutCreated", "payoutUpdate", "payoutFailure", "receiverKycUpdate"];

const filters: readonly Filter[] = [
  {
    ...{ name: "status", label: "Status", kind: "choice" },
    options: [
      { value: "waiting", label: "Waiting" },
      { value: "delivered", label: "Delivered" },
      { value: "undelivered", label: "Undelivered" },
      { value: "unsent", label: "Not sent" },
    ],
  },
  {
    ...{ name: "type", label: "Type", kind: "choice" },
    options: types.map((type) => ({ value: type, label: type })),
  },
  { name: "from", label: "From", kind: "day" },
  { name: "to", label: "To", kind: "day" },
  { name: "payout_id", label: "Payout", kind: "text", placeholder: "Its id" },
  { name: "receiver_id", label: "Receiver", kind: "text", placeholder: "Its id" },
];

const columns: readonly Column<EventLine>[] = [
  { key: "created", title: "Happened", cell: (row) => <When ms={row.created_at} /> },
  {
    ...{ key: "type", title: "Type", isLink: true },
    cell: (row) => (
      <>
        {row.type} {row.is_test && <TestBadge />}
      </>
    ),
  },
  { key: "status", title: "Status", cell: (row) => <EventStatus row={row} /> },
  { key: "attempts", title: "Attempts", align: "right", cell: (row) => row.attempt_count },
  {
    ...{ key: "next", title: "Next attempt" },
    cell: (row) => (row.next_attempt_at === null ? "–" : <When ms={row.next_attempt_at} />),
  },
  { key: "reference", title: "Reference", cell: (row) => row.reference || "–" },
  { key: "id", title: "Event", cell: (row) => <IdChip id={row.id} short /> },
];

export function EventsTab({ hasAddress }: { hasAddress: boolean }) {
  const { id, is_closed } = useSubaccount();
  const apiOf = useApiOf();
  const pageOf = usePageOf();
  const zone = useZone();
  const [values, setValues] = useFilters();
  const [isRecovering, setRecovering] = useState(false);
  const mayWrite = useMay("webhooks.write") && hasAddress && !is_closed;
  const { type, status, payout_id, receiver_id, from, to } = values;
  const query = { type, status, payout_id, receiver_id, ...momentsOf({ from, to }, zone) };
  const page = usePage<EventLine>([id, "events"], apiOf("/events"), query);
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <FilterBar filters={filters} value={values} onChange={setValues} />
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
          <ExportButton path={apiOf("/events.csv")} query={query} />
        </Group>
      </Group>
      <PageTable
        label="Events"
        columns={columns}
        page={page}
        rowKey={(row) => row.id}
        rowHref={(row) => pageOf("webhooks", "events", row.id)}
        rowName={({ id }) => `event ${shortOf(id)}`}
        empty={
          isFiltered ? (
            <Empty title="No event fits these filters" />
          ) : (
            <Empty
              title="Nothing has happened yet"
              hint="Every change of a payout or an identity check is an event. This makes one up:"
              line={`./disburse events trigger payoutCreated --subaccount ${id}`}
            />
          )
        }
      />
      <RecoverDialog opened={isRecovering} onClose={() => setRecovering(false)} />
    </Stack>
  );
}

/** One that waits and has been tried is on its way to another try. */
function EventStatus({ row: { status, attempt_count } }: { row: EventLine }) {
  const isRetried = status === "waiting" && attempt_count > 0;
  return <Status of="event" value={isRetried ? "retrying" : status} />;
}
