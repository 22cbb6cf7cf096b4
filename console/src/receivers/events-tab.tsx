// The events about the receiver and its payouts.

import { usePageOf } from "../api/me.ts";
import { onePageOf } from "../api/page.ts";
import { Empty } from "../parts/empty.tsx";
import { IdChip, shortOf } from "../parts/id-chip.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { receiversTexts } from "../texts/receivers.ts";
import type { ReceiverDetail } from "./receiver.ts";

type Line = ReceiverDetail["events"][number];

const columns: readonly Column<Line>[] = [
  {
    key: "created",
    title: receiversTexts.created,
    phone: "sub",
    cell: (row) => <When ms={row.created_at} />,
  },
  { key: "type", title: "Type", isLink: true, phone: "lead", cell: (row) => row.type },
  {
    key: "status",
    title: receiversTexts.status,
    phone: "lead-end",
    cell: (row) => <Status of="event" value={row.status} />,
  },
  { key: "attempts", title: "Attempts", align: "right", cell: (row) => row.attempts },
  {
    key: "id",
    title: "Event ID",
    phone: "sub-end",
    cell: (row) => <IdChip id={row.id} short />,
  },
];

export function ReceiverEventsTab({ receiver }: { receiver: ReceiverDetail }) {
  const pageOf = usePageOf();
  const { events, json } = receiver;
  const page = onePageOf({ data: { rows: events } });
  return (
    <>
      <PageTable
        label="Events"
        columns={columns}
        page={page}
        rowKey={(row) => row.id}
        rowHref={(row) => pageOf("webhooks", "events", row.id)}
        rowName={({ id }) => `event ${shortOf(id)}`}
        empty={
          <Empty title="No events yet" hint="Identity check results and payouts create events." />
        }
      />
      {events.length > 0 && (
        <p>
          <PageLink to={`${pageOf("webhooks")}?receiver_id=${json.id}`} size="sm">
            All events about this receiver
          </PageLink>
        </p>
      )}
    </>
  );
}
