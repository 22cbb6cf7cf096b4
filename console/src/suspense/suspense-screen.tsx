// What banks reported and no rule could apply, oldest first.

import { Stack, Text } from "@mantine/core";
import type { SuspenseLine } from "@server/doors/console/suspense/schema.ts";
import { usePage } from "../api/page.ts";
import styles from "../banks/banks.module.css";
import { OpenOrAll } from "../banks/open-or-all.tsx";
import { Empty } from "../parts/empty.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Screen } from "../parts/screen.tsx";
import { Status } from "../parts/status.tsx";
import { useFilters } from "../state/filters.ts";
import { daysText, reportTitle } from "../texts/bank-inbound.ts";
import { suspenseTexts } from "../texts/suspense.ts";

const columns: Column<SuspenseLine>[] = [
  {
    key: "report",
    phone: "lead",
    title: "What to look at",
    isLink: true,
    cell: (item) => (
      <Stack gap={0}>
        <strong>
          {`${reportTitle(item.kind, item, item.status === "open")}, ${daysText(item.age_days)}`}
        </strong>
        <Text span size="xs" c="dimmed">
          {[item.reason, item.bank_text].filter(Boolean).join(" · ")}
        </Text>
      </Stack>
    ),
  },
  {
    key: "bank",
    phone: "sub-middle",
    title: suspenseTexts.bank,
    cell: ({ connection_name }) => connection_name,
  },
  { key: "reference", title: suspenseTexts.reference, cell: ({ reference }) => reference || "–" },
  { key: "account", title: suspenseTexts.account, cell: ({ account }) => account || "–" },
  {
    key: "status",
    phone: "sub-end",
    title: "Status",
    cell: ({ status }) => <Status of="suspense" value={status} />,
  },
];

export function SuspenseScreen() {
  const [{ state = "open" }] = useFilters();
  const page = usePage<SuspenseLine>(["banks"], "/banks/suspense", { state }, { everyMs: 10_000 });
  return (
    <Screen>
      <div className={styles.head}>
        <Text size="sm" c="dimmed">
          What banks reported and no rule could apply. A user decides about each, with a reason.
        </Text>
        <OpenOrAll />
      </div>
      <PageTable
        label={suspenseTexts.suspense}
        columns={columns}
        page={page}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/banks/suspense/${id}`}
        empty={
          <Empty
            title="Nothing in suspense"
            hint="Every report of a bank was matched to a payout."
          />
        }
      />
    </Screen>
  );
}
