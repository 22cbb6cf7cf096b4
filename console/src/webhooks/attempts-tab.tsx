// The delivery attempts of all events, newest first.

import { Group, Stack } from "@mantine/core";
import type { AttemptLine } from "@server/doors/console/events/schema.ts";
import { useApiOf, usePageOf, useSubaccount } from "../api/me.ts";
import { usePage } from "../api/page.ts";
import { CutText } from "../parts/cut-text.tsx";
import { Empty } from "../parts/empty.tsx";
import { ExportButton } from "../parts/export-button.tsx";
import { type Filter, FilterBar } from "../parts/filter-bar.tsx";
import { IdChip, shortOf } from "../parts/id-chip.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { periodFilters } from "../parts/period-filter.ts";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { momentsOf } from "../state/day-range.ts";
import { useFilters } from "../state/filters.ts";
import { useZone } from "../state/zone.ts";
import { webhooksTexts } from "../texts/webhooks.ts";

const filters: readonly Filter[] = [
  {
    name: "outcome",
    label: "Outcome",
    kind: "choice",
    options: [
      { value: "failed", label: webhooksTexts.failed },
      { value: "delivered", label: webhooksTexts.delivered },
    ],
  },
  ...periodFilters,
];

const columns: readonly Column<AttemptLine>[] = [
  {
    key: "at",
    title: "Time",
    phone: "sub",
    cell: (row) => <When ms={row.at} withSeconds />,
  },
  {
    key: "type",
    title: webhooksTexts.event,
    isLink: true,
    phone: "lead",
    cell: (row) => row.event_type ?? "–",
  },
  {
    key: "answer",
    title: "Response",
    phone: "lead-end",
    cell: (row) => <Status of="http" value={row.status ?? 0} />,
  },
  {
    key: "why",
    title: "Error",
    phone: "sub-middle",
    cell: (row) => <CutText chars={40}>{failureText(row) ?? "–"}</CutText>,
  },
  {
    key: "took",
    title: "Duration",
    align: "right",
    phone: "sub-end",
    cell: (row) => webhooksTexts.ms(row.took_ms),
  },
  { key: "number", title: "Attempt", align: "right", cell: (row) => row.number },
  { key: "id", title: webhooksTexts.eventId, cell: (row) => <IdChip id={row.event_id} short /> },
];

export function AttemptsTab() {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const pageOf = usePageOf();
  const [values, setValues] = useFilters();
  const query = { outcome: values.outcome, ...momentsOf(values, useZone()) };
  const page = usePage<AttemptLine>([id, "events", "attempts"], apiOf("/attempts"), query);
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <FilterBar filters={filters} value={values} onChange={setValues} />
        <ExportButton path={apiOf("/attempts.csv")} query={query} />
      </Group>
      <PageTable
        label={webhooksTexts.attempts}
        columns={columns}
        page={page}
        rowKey={(row) => row.id}
        rowHref={(row) => pageOf("webhooks", "events", row.event_id)}
        rowName={({ number, event_id }) => `attempt ${number} of event ${shortOf(event_id)}`}
        empty={
          <Empty
            title={
              Object.values(query).some((one) => one !== undefined)
                ? "No matching attempts"
                : "No attempts yet"
            }
            hint="Attempts are kept for 30 days."
          />
        }
      />
    </Stack>
  );
}

/** Undefined: the event was delivered. */
export function failureText({
  failure,
  detail,
}: Pick<AttemptLine, "failure" | "detail">): string | undefined {
  if (failure === null) return undefined;
  const word = words[failure] ?? failure.replaceAll("_", " ");
  return detail ? `${word}: ${detail}` : word;
}

const words: Record<string, string> = {
  refused_4xx: "Client error (4xx)",
  refused_5xx: "Server error (5xx)",
  redirected: "Redirected",
  throttled: "Asked to retry later (Retry-After)",
  gone: "Endpoint gone (410)",
  cut: "Response cut off",
};
