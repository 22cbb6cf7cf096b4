// The subaccount's receivers and their identity checks.

import { Group, Stack, Text } from "@mantine/core";
import type { ReceiverLine } from "@server/doors/review-list/receivers/schema.ts";
import { useApiOf, useMay, usePageOf, useSubaccount } from "../api/me.ts";
import { usePage } from "../api/page.ts";
import { CutText } from "../parts/cut-text.tsx";
import { Empty } from "../parts/empty.tsx";
import { ExportButton } from "../parts/export-button.tsx";
import { type Filter, FilterBar } from "../parts/filter-bar.tsx";
import { FileUp, Plus } from "../parts/icons.tsx";
import { LinkButton } from "../parts/link-button.tsx";
import { ListTools, useShownColumns } from "../parts/list-tools.tsx";
import { Money } from "../parts/money.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { periodFilters } from "../parts/period-filter.ts";
import { Screen } from "../parts/screen.tsx";
import { Status } from "../parts/status.tsx";
import { useSorting } from "../parts/use-sorting.ts";
import { When } from "../parts/when.tsx";
import { momentsOf } from "../state/day-range.ts";
import { useFilters } from "../state/filters.ts";
import { useZone } from "../state/zone.ts";
import { receiversTexts } from "../texts/receivers.ts";
import { kycOptions, kycTitle, statusOptions, statusTitle } from "./codes.ts";

const filters: readonly Filter[] = [
  {
    name: "q",
    label: "Name, email or reference",
    kind: "text",
    placeholder: "ana, silva, ana@…, staff-42",
  },
  { name: "status", label: receiversTexts.status, kind: "choice", options: statusOptions },
  { name: "kyc_status", label: receiversTexts.identityCheck, kind: "choice", options: kycOptions },
  {
    name: "country",
    label: receiversTexts.country,
    kind: "text",
    placeholder: "AUS",
    isExtra: true,
  },
  { name: "reference", label: receiversTexts.reference, kind: "text", isExtra: true },
  { name: "metadata", label: "Metadata", kind: "text", placeholder: "order=77", isExtra: true },
  ...periodFilters,
];

const countedMax = 100;

const columns: readonly Column<ReceiverLine>[] = [
  {
    key: "name",
    title: "Name",
    isLink: true,
    phone: "lead",
    sort: "name",
    cell: (row) => (
      <Text size="sm" fw={500} span>
        <CutText>{row.name}</CutText>
      </Text>
    ),
  },
  {
    key: "email",
    title: receiversTexts.email,
    phone: "sub-middle",
    cell: (row) => <CutText chars={22}>{row.email}</CutText>,
  },
  { key: "country", title: receiversTexts.country, phone: "sub", cell: (row) => row.country },
  {
    key: "status",
    title: receiversTexts.status,
    phone: "lead-end",
    cell: (row) => <Status of="receiver" value={row.status} hint={statusTitle(row.status_code)} />,
  },
  {
    key: "kyc",
    title: receiversTexts.identityCheck,
    phone: "sub-end",
    cell: (row) => <Status of="kyc" value={row.kyc_status} hint={kycTitle(row.kyc_code)} />,
  },
  {
    key: "accounts",
    title: "Accounts",
    align: "right",
    cell: (row) => capped(row.accounts),
  },
  {
    key: "payouts",
    title: receiversTexts.payouts,
    align: "right",
    cell: (row) => capped(row.payouts),
  },
  {
    key: "last",
    title: "Last payout",
    align: "right",
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
  {
    key: "created",
    title: receiversTexts.created,
    sort: "-created",
    cell: (row) => <When ms={row.created_at} />,
  },
];

function capped(count: number): string {
  return count >= countedMax ? `${countedMax}+` : String(count);
}

export function ReceiversScreen() {
  const { id, is_closed } = useSubaccount();
  const mayWrite = useMay("receivers.write") && !is_closed;
  const apiOf = useApiOf();
  const pageOf = usePageOf();
  const zone = useZone();
  const [values, setValues] = useFilters();
  const { q, status, kyc_status, country, reference, metadata } = values;
  const query = {
    q,
    status,
    kyc_status,
    country: country?.toUpperCase(),
    reference,
    metadata,
    ...momentsOf(values, zone),
  };
  const page = usePage<ReceiverLine>([id, "receivers"], apiOf("/receivers"), {
    ...query,
    sort: values.sort,
  });
  // What a text, an email or a reference finds is few, and by creation time.
  const isFound = q !== undefined || reference !== undefined || metadata !== undefined;
  const byColumn = useSorting("-created");
  const sorting = isFound ? undefined : byColumn;
  const shownColumns = useShownColumns(columns);
  const isFiltered = Object.values(query).some((value) => value !== undefined);
  return (
    <Screen
      actions={
        <>
          {mayWrite && (
            <>
              <LinkButton to={pageOf("receivers", "new")} icon={Plus} isPrimary>
                {receiversTexts.newReceiver}
              </LinkButton>
              <LinkButton to={pageOf("receivers", "import")} icon={FileUp}>
                {receiversTexts.importReceivers}
              </LinkButton>
            </>
          )}
          <ExportButton path={apiOf("/receivers.csv")} query={query} />
        </>
      }
    >
      <Group justify="space-between" gap="xs">
        <FilterBar filters={filters} value={values} onChange={setValues} />
        <ListTools list="receivers" columns={columns} sorting={sorting} />
      </Group>
      <PageTable
        label={receiversTexts.receivers}
        columns={shownColumns}
        page={page}
        sorting={sorting}
        rowKey={(row) => row.id}
        rowHref={(row) => pageOf("receivers", row.id)}
        empty={
          isFiltered ? (
            <Empty
              title="No matching receivers"
              hint={page.onNext && "No matches so far. Choose Next to keep searching."}
            />
          ) : (
            <Empty
              title="No receivers yet"
              hint="Add a receiver to start paying. Their identity is checked first."
            />
          )
        }
      />
    </Screen>
  );
}
