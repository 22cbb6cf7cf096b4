// Every request, newest first, and as it comes while it is live.

import { Button, Stack } from "@mantine/core";
import type { RequestLine } from "@server/console/requests/schema.ts";
import { useApiOf, usePageOf, useSubaccount } from "../api/me.ts";
import { type ListPage, usePage } from "../api/page.ts";
import { Empty } from "../parts/empty.tsx";
import { FilterBar } from "../parts/filter-bar.tsx";
import { IdChip } from "../parts/id-chip.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { useFilters } from "../state/filters.ts";
import { useZone } from "../state/zone.ts";
import { requestFilters, requestQueryOf } from "./filters.ts";
import styles from "./requests.module.css";

const columns: readonly Column<RequestLine>[] = [
  { key: "at", title: "Time", cell: ({ at }) => <When ms={at} withSeconds /> },
  {
    ...{ key: "request", title: "Request", isLink: true },
    cell: ({ method, path }) => (
      <span className={styles.request}>
        <span className={styles.method}>{method}</span>
        <span className={styles.path}>{path}</span>
      </span>
    ),
  },
  { key: "status", title: "Status", cell: ({ status }) => <Status of="http" value={status} /> },
  {
    ...{ key: "codes", title: "Codes" },
    cell: ({ codes }) => <span className={styles.codes}>{codesText(codes)}</span>,
  },
  { key: "ms", title: "ms", align: "right", cell: ({ ms }) => ms.toFixed(1) },
  { key: "ip", title: "From", cell: ({ ip }) => ip || "–", wideOnly: true },
  { key: "id", title: "Request id", cell: ({ id }) => <IdChip id={id} short /> },
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
  // The live stream asks anew for what is called requests. What stands still has another name.
  const kind = isLive ? "requests" : "requests at rest";
  const page = usePage<RequestLine>([id, kind], apiOf("/requests"), query);
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  return (
    <Stack gap="sm">
      <FilterBar filters={requestFilters} value={values} onChange={setValues} />
      <PageTable
        label="API requests"
        columns={columns}
        page={page}
        rowKey={(row) => row.id}
        rowHref={(row) => pageOf("requests", row.id)}
        empty={<NoRequests page={page} isFiltered={isFiltered} />}
      />
    </Stack>
  );
}

function NoRequests({ page, isFiltered }: { page: ListPage<RequestLine>; isFiltered: boolean }) {
  if (page.onNext) {
    return (
      <Empty
        title="None of those looked at fits"
        hint="So many requests were looked at that the rest has to wait. Days, or another filter, make it quicker."
        action={
          <Button variant="default" onClick={page.onNext}>
            Look further back
          </Button>
        }
      />
    );
  }
  if (isFiltered) return <Empty title="No request of the last 30 days fits these filters" />;
  return (
    <Empty
      title="Nobody has called yet"
      hint="Every call with a key of this subaccount is here for 30 days, also one that was refused:"
      line={`curl ${window.location.origin}/api/subaccount -H "x-api-key: …" -H "signature: …"`}
    />
  );
}
