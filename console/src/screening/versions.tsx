// Every version that was imported, newest first.

import { Stack, Text } from "@mantine/core";
import { usePage } from "../api/page.ts";
import { Empty } from "../parts/empty.tsx";
import { type Filter, FilterBar } from "../parts/filter-bar.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { useFilters } from "../state/filters.ts";
import { countText } from "../state/locale.ts";
import { calendarDayText } from "../state/time.ts";
import { whoText } from "../state/who.ts";
import { listNames, listText, screeningTexts } from "../texts/screening.ts";
import { changesText, type ListVersion } from "./lists.ts";

const columns: readonly Column<ListVersion>[] = [
  {
    key: "imported",
    phone: "lead",
    title: screeningTexts.imported,
    cell: ({ made_at }) => <When ms={made_at} />,
  },
  {
    key: "list",
    phone: "sub",
    title: screeningTexts.list,
    cell: ({ list }) => listText(list),
  },
  {
    key: "status",
    phone: "lead-end",
    title: "Status",
    cell: ({ status }) => <Status of="listVersion" value={status} />,
  },
  {
    key: "published",
    title: screeningTexts.published,
    cell: ({ published_day }) => calendarDayText(published_day),
  },
  {
    key: "entries",
    title: screeningTexts.entries,
    align: "right",
    cell: ({ entries }) => countText(entries),
  },
  { key: "changes", phone: "sub-end", title: "Changes", cell: (row) => changesText(row) },
  { key: "by", title: "Imported by", cell: ({ made_by }) => whoText(made_by) },
];

const filters: readonly Filter[] = [
  {
    name: "list",
    label: screeningTexts.list,
    kind: "choice",
    options: listNames.map((value) => ({ value, label: listText(value) })),
  },
];

export function ListVersions() {
  const [values, setFilters] = useFilters();
  const { list } = values;
  const page = usePage<ListVersion>(["screening"], "/screening/versions", { list });
  return (
    <section aria-label={screeningTexts.versions}>
      <Stack gap="xs">
        <Text component="h2" fw={600} fz="sm" m={0}>
          {screeningTexts.versions}
        </Text>
        <FilterBar filters={filters} value={values} onChange={setFilters} />
        <PageTable
          label={screeningTexts.versions}
          columns={columns}
          page={page}
          rowKey={({ id }) => id}
          rowHref={({ id }) => `/screening/versions/${id}`}
          rowName={({ list }) => listText(list)}
          empty={<Empty title="No version yet" />}
        />
      </Stack>
    </section>
  );
}
