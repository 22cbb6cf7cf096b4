// Errors by code and path, the most frequent first.

import { SegmentedControl, Stack, Text } from "@mantine/core";
import type { RequestErrors } from "@server/doors/request-list/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { useApiOf, usePageOf, useSubaccount } from "../api/me.ts";
import { onePageOf } from "../api/page.ts";
import { Empty } from "../parts/empty.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { useFilters } from "../state/filters.ts";
import { countText } from "../state/locale.ts";
import { requestsTexts } from "../texts/requests.ts";
import styles from "./requests.module.css";

type Group = RequestErrors["rows"][number];

const spans = [
  { value: "24h", label: "24 hours" },
  { value: "7d", label: "7 days" },
];

export function ErrorsTab() {
  const { id } = useSubaccount();
  const path = useApiOf()("/requests/errors");
  const pageOf = usePageOf();
  const [{ within = "24h" }, setFilters] = useFilters();
  const list = useQuery({
    queryKey: [id, "requests", "errors", within],
    queryFn: ({ signal }) => get<RequestErrors>(path, { within }, signal),
  });
  const { data } = list;
  const page = onePageOf(list);
  const listOf = ({ code, method, route }: Group) =>
    `${pageOf("requests")}?${new URLSearchParams({ code, method, ...(route && { route }) })}`;
  const columns: readonly Column<Group>[] = [
    {
      key: "code",
      title: requestsTexts.code,
      cell: (row) => (
        <PageLink to={listOf(row)} className={styles.codes}>
          {row.code || "none"}
        </PageLink>
      ),
    },
    { key: "text", title: "Error", cell: ({ text }) => text || "–" },
    {
      key: "route",
      title: requestsTexts.request,
      cell: ({ method, route }) => (
        <span className={styles.request}>
          <span className={styles.method}>{method}</span>
          <span className={styles.path}>{route || "Unknown path"}</span>
        </span>
      ),
    },
    {
      key: "status",
      title: requestsTexts.status,
      cell: ({ status }) => <Status of="http" value={status} />,
    },
    {
      key: "count",
      title: "Count",
      align: "right",
      cell: ({ count }) => countText(count),
    },
    {
      key: "last",
      title: "Last seen",
      cell: ({ last_at, last_id }) => (
        <PageLink to={pageOf("requests", last_id)}>
          <When ms={last_at} />
        </PageLink>
      ),
    },
  ];
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label="Time range"
        data={spans}
        value={within}
        onChange={(chosen) => setFilters({ within: chosen === "24h" ? undefined : chosen })}
        w="fit-content"
      />
      <PageTable
        label={requestsTexts.groupedErrors}
        columns={columns}
        page={page}
        rowKey={({ code, method, route, status }) => [code, method, route, status].join(" ")}
        empty={<Empty title="No errors in this period" />}
      />
      {data && !data.is_whole && (
        <Text size="sm" c="dimmed">
          {`Shows the newest ${countText(data.looked_at)} errors only.`}
        </Text>
      )}
    </Stack>
  );
}
