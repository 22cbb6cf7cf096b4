// The attempts to tell events, newest first, whatever events they were of.

import { Group, Stack } from "@mantine/core";
import type { AttemptLine } from "@server/console/events/schema.ts";
import { useApiOf, usePageOf, useSubaccount } from "../api/me.ts";
import { usePage } from "../api/page.ts";
import { Empty } from "../parts/empty.tsx";
import { ExportButton } from "../parts/export-button.tsx";
import { type Filter, FilterBar } from "../parts/filter-bar.tsx";
import { IdChip, shortOf } from "../parts/id-chip.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { useFilters } from "../state/filters.ts";

const filters: readonly Filter[] = [
  {
    ...{ name: "outcome", label: "Outcome", kind: "choice" },
    options: [
      { value: "failed", label: "Failed" },
      { value: "delivered", label: "Heard" },
    ],
  },
];

const columns: readonly Column<AttemptLine>[] = [
  { key: "at", title: "When", cell: (row) => <When ms={row.at} withSeconds /> },
  { key: "type", title: "Event", isLink: true, cell: (row) => row.event_type ?? "–" },
  { key: "answer", title: "Answer", cell: (row) => <Status of="http" value={row.status ?? 0} /> },
  { key: "why", title: "Why it failed", cell: (row) => failureText(row) ?? "–" },
  { key: "took", title: "Took", align: "right", cell: (row) => `${row.took_ms} ms` },
  { key: "number", title: "Try", align: "right", cell: (row) => row.number },
  { key: "id", title: "Event id", cell: (row) => <IdChip id={row.event_id} short /> },
];

export function AttemptsTab() {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const pageOf = usePageOf();
  const [values, setValues] = useFilters();
  const query = { outcome: values.outcome };
  const page = usePage<AttemptLine>([id, "events", "attempts"], apiOf("/attempts"), query);
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <FilterBar filters={filters} value={values} onChange={setValues} />
        <ExportButton path={apiOf("/attempts.csv")} query={query} />
      </Group>
      <PageTable
        label="Attempts"
        columns={columns}
        page={page}
        rowKey={(row) => row.id}
        rowHref={(row) => pageOf("webhooks", "events", row.event_id)}
        rowName={({ number, event_id }) => `attempt ${number} of event ${shortOf(event_id)}`}
        empty={
          <Empty
            title={values.outcome ? "No attempt fits this filter" : "Nothing was sent yet"}
            hint="Attempts are kept for 30 days."
          />
        }
      />
    </Stack>
  );
}

/** In words; undefined: it was heard. */
export function failureText({
  failure,
  detail,
}: Pick<AttemptLine, "failure" | "detail">): string | undefined {
  if (failure === null) return undefined;
  const word = words[failure] ?? failure.replaceAll("_", " ");
  return detail ? `${word}: ${detail}` : word;
}

const words: Record<string, string> = {
  refused_4xx: "Refused",
  refused_5xx: "Failed there",
  redirected: "Redirected",
  throttled: "Asked to wait",
  gone: "Gone",
  cut: "Cut off",
};
