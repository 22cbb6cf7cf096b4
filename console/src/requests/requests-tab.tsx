// All requests, newest first, updated live.

import { Button, Group, Stack } from "@mantine/core";
import type { RequestLine, RequestsPage } from "@server/doors/request-list/schema.ts";
import { useApiOf, usePageOf, useSubaccount } from "../api/me.ts";
import { type ListPage, usePage } from "../api/page.ts";
import { Empty } from "../parts/empty.tsx";
import { FilterBar } from "../parts/filter-bar.tsx";
import { IdChip } from "../parts/id-chip.tsx";
import { LinkButton } from "../parts/link-button.tsx";
import { ListTools, SortedAmong, useShownColumns } from "../parts/list-tools.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Status } from "../parts/status.tsx";
import { useSorting } from "../parts/use-sorting.ts";
import { When } from "../parts/when.tsx";
import { useFilters } from "../state/filters.ts";
import { useZone } from "../state/zone.ts";
import { listsTexts } from "../texts/lists.ts";
import { requestsTexts } from "../texts/requests.ts";
import { requestFilters, requestQueryOf } from "./filters.ts";
import styles from "./requests.module.css";

const columns: readonly Column<RequestLine>[] = [
  {
    key: "at",
    title: "Time",
    phone: "sub",
    sort: "-received",
    cell: ({ at }) => <When ms={at} withSeconds />,
  },
  {
    key: "request",
    title: requestsTexts.request,
    isLink: true,
    phone: "lead",
    cell: ({ method, path }) => (
      <span className={styles.request}>
        <span className={styles.method}>{method}</span>
        <span className={styles.path}>{path}</span>
      </span>
    ),
  },
  {
    key: "status",
    title: requestsTexts.status,
    phone: "lead-end",
    sort: "-status",
    cell: ({ status }) => <Status of="http" value={status} />,
  },
  {
    key: "codes",
    title: "Codes",
    phone: "sub-middle",
    cell: ({ codes }) => <span className={styles.codes}>{codesText(codes)}</span>,
  },
  {
    key: "ms",
    title: requestsTexts.duration,
    align: "right",
    phone: "sub-end",
    sort: "-took",
    cell: ({ ms }) => requestsTexts.ms(ms.toFixed(1)),
  },
  { key: "ip", title: requestsTexts.ipAddress, cell: ({ ip }) => ip || "–", wideOnly: true },
  { key: "id", title: requestsTexts.requestId, cell: ({ id }) => <IdChip id={id} short /> },
];

function codesText(codes: readonly string[]): string {
  const more = codes.length > 3 ? `and ${codes.length - 2} more` : "";
  return [...(more ? codes.slice(0, 2) : codes), more].filter(Boolean).join(" ") || "–";
}

export function RequestsTab({ isLive }: { isLive: boolean }) {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const pageOf = usePageOf();
  const zone = useZone();
  const [values, setValues] = useFilters();
  const query = requestQueryOf(values, zone);
  // The live stream reloads queries named "requests". A paused list has another name.
  const kind = isLive ? "requests" : "requests paused";
  const sorting = useSorting("-received");
  const page = usePage<RequestLine, RequestsPage>([id, kind], apiOf("/requests"), {
    ...query,
    sort: values.sort,
  });
  const shownColumns = useShownColumns(columns);
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <FilterBar filters={requestFilters} value={values} onChange={setValues} />
        <ListTools list="requests" columns={columns} sorting={sorting} />
      </Group>
      <SortedAmong answer={page.answer} rows="requests" />
      <PageTable
        label={requestsTexts.apiRequests}
        columns={shownColumns}
        page={page}
        rowKey={(row) => row.id}
        rowHref={(row) => pageOf("requests", row.id)}
        sorting={sorting}
        empty={<NoRequests page={page} isFiltered={isFiltered} />}
      />
    </Stack>
  );
}

function NoRequests({
  page,
  isFiltered,
}: {
  page: ListPage<RequestLine, RequestsPage>;
  isFiltered: boolean;
}) {
  const pageOf = usePageOf();
  if (page.onNext) {
    return (
      <Empty
        title="No matches so far"
        hint="Search older requests, or narrow the dates for faster results."
        action={
          <Button variant="default" onClick={page.onNext}>
            Search older requests
          </Button>
        }
      />
    );
  }
  if (isFiltered)
    return (
      <Empty title="No matching requests in the last 30 days" hint={listsTexts.removeAFilter} />
    );
  return (
    <Empty
      title="No requests yet"
      hint="Requests with an API key of this subaccount are listed here for 30 days, including rejected ones."
      action={
        <LinkButton to={`${pageOf("quickstart")}?for=developers`}>
          Send the first request
        </LinkButton>
      }
    />
  );
}
