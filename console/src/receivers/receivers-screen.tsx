// The subaccount's receivers: everybody who can be paid, and how their identity checks stand.

import { Stack, Text } from "@mantine/core";
import type { ReceiverLine } from "@server/console/receivers/schema.ts";
import { useApiOf, usePageOf, useSubaccount } from "../api/me.ts";
import { usePage } from "../api/page.ts";
import { Empty } from "../parts/empty.tsx";
import { ExportButton } from "../parts/export-button.tsx";
import { type Filter, FilterBar } from "../parts/filter-bar.tsx";
import { Money } from "../parts/money.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Screen } from "../parts/screen.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { momentsOf } from "../state/day-range.ts";
import { useFilters } from "../state/filters.ts";
import { useZone } from "../state/zone.ts";
import { kycOptions, kycTitle, statusOptions, statusTitle } from "./codes.ts";

const filters: readonly Filter[] = [
  { name: "q", label: "Name or e-mail", kind: "text", placeholder: "Silva, Ana Silva, ana@…" },
  { name: "status", label: "Status", kind: "choice", options: statusOptions },
  { name: "kyc_status", label: "KYC", kind: "choice", options: kycOptions },
  { name: "country", label: "Country", kind: "text", placeholder: "AUS" },
  { name: "reference", label: "Reference", kind: "text" },
  { name: "from", label: "From", kind: "day" },
  { name: "to", label: "To", kind: "day" },
];

const countedMax = 100;

const columns: readonly Column<ReceiverLine>[] = [
  {
    ...{ key: "name", title: "Name", isLink: true },
    cell: (row) => (
      <Text size="sm" fw={500}>
        {row.name}
      </Text>
    ),
  },
  { key: "email", title: "E-mail", cell: (row) => row.email },
  { key: "country", title: "Country", cell: (row) => row.country },
  {
    ...{ key: "status", title: "Status" },
    cell: (row) => <Status of="receiver" value={row.status} hint={statusTitle(row.status_code)} />,
  },
  {
    ...{ key: "kyc", title: "KYC" },
    cell: (row) => <Status of="kyc" value={row.kyc_status} hint={kycTitle(row.kyc_code)} />,
  },
  {
    ...{ key: "accounts", title: "Accounts", align: "right" },
    cell: (row) => capped(row.accounts),
  },
  { key: "payouts", title: "Payouts", align: "right", cell: (row) => capped(row.payouts) },
  {
    ...{ key: "last", title: "Last payout", align: "right" },
    cell: ({ last_payout: last }) =>
      last ? (
        <Stack gap={0} align="flex-end">
          <Money amount={last.amount} currency={last.currency} />
          <Text size="xs" c="dimmed" component="span">
            <When ms={last.created_at} />
          </Text>
        </Stack>
      ) : (
        "–"
      ),
  },
  { key: "created", title: "Created", cell: (row) => <When ms={row.created_at} /> },
];

function capped(count: number): string {
  return count >= countedMax ? `${countedMax}+` : String(count);
}

export function ReceiversScreen() {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const pageOf = usePageOf();
  const zone = useZone();
  const [values, setValues] = useFilters();
  const { q, status, kyc_status, country, reference, from, to } = values;
  const query = {
    ...{ q, status, kyc_status, country: country?.toUpperCase(), reference },
    ...momentsOf({ from, to }, zone),
  };
  const page = usePage<ReceiverLine>([id, "receivers"], apiOf("/receivers"), query);
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  return (
    <Screen
      title="Receivers"
      actions={<ExportButton path={apiOf("/receivers.csv")} query={query} />}
    >
      <FilterBar filters={filters} value={values} onChange={setValues} />
      <PageTable
        label="Receivers"
        columns={columns}
        page={page}
        rowKey={(row) => row.id}
        rowHref={(row) => pageOf("receivers", row.id)}
        empty={
          isFiltered ? (
            <Empty
              title="No receiver fits these filters"
              hint={page.onNext && "None of those looked at so far. Next looks at more."}
            />
          ) : (
            <Empty
              title="There are no receivers yet"
              hint="Whoever is to be paid is a receiver first, and has their identity checked."
              line={`./disburse receivers create --help    # or POST /api/receiver`}
            />
          )
        }
      />
    </Screen>
  );
}
