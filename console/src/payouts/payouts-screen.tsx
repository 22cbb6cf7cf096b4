// The subaccount's payouts, by status and filters, with the delivery of their latest event.

import { Button, Group, Stack, Tabs } from "@mantine/core";
import type {
  PayoutCounts,
  PayoutLine,
  PayoutLines,
} from "@server/doors/console/payouts/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { useApiOf, useMay, useMe, usePageOf, useSubaccount } from "../api/me.ts";
import { type ListPage, usePage } from "../api/page.ts";
import { CutText } from "../parts/cut-text.tsx";
import { Empty } from "../parts/empty.tsx";
import { ExportButton } from "../parts/export-button.tsx";
import { FilterBar } from "../parts/filter-bar.tsx";
import { FileUp, Layers, Plus } from "../parts/icons.tsx";
import { LinkButton } from "../parts/link-button.tsx";
import { ListTools, SortedAmong, useShownColumns } from "../parts/list-tools.tsx";
import { Money } from "../parts/money.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Screen } from "../parts/screen.tsx";
import { useSelection } from "../parts/selection.ts";
import { Status } from "../parts/status.tsx";
import { useSorting } from "../parts/use-sorting.ts";
import { When } from "../parts/when.tsx";
import { type Filters, useFilters } from "../state/filters.ts";
import { countText } from "../state/locale.ts";
import { moneyText } from "../state/money.ts";
import { useTab } from "../state/tab.ts";
import { whoText } from "../state/who.ts";
import { useZone } from "../state/zone.ts";
import { listsTexts } from "../texts/lists.ts";
import { payoutsTexts } from "../texts/payouts.ts";
import { useBalances } from "./balances.ts";
import { FilteredSum } from "./filtered-sum.tsx";
import { filtersOf, fromPills, isFiltered, queryOf, toPills } from "./filters.ts";
import { PayoutViews } from "./payout-views.tsx";
import { SelectedPayouts } from "./selected-payouts.tsx";
import { WebhookCell } from "./webhook-cell.tsx";

const columns: readonly Column<PayoutLine>[] = [
  {
    key: "created",
    title: payoutsTexts.created,
    isLink: true,
    phone: "sub",
    sort: "-created",
    cell: (row) => <When ms={row.created_at} isDate />,
  },
  {
    key: "amount",
    title: payoutsTexts.amount,
    align: "right",
    phone: "lead-end",
    sort: "-amount",
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    key: "status",
    title: payoutsTexts.status,
    phone: "sub-end",
    sort: "updated",
    cell: ({ stage, cause }) => <Status of="payout" value={stage} title={cause || undefined} />,
  },
  {
    key: "receiver",
    title: payoutsTexts.receiver,
    phone: "lead",
    sort: "receiver",
    cell: (row) => <CutText>{row.receiver.name}</CutText>,
  },
  {
    key: "account",
    title: payoutsTexts.bankAccount,
    cell: ({ account }) => <CutText>{account.tail}</CutText>,
  },
  {
    key: "reference",
    title: payoutsTexts.reference,
    phone: "sub-middle",
    cell: (row) => <CutText>{row.reference || "–"}</CutText>,
  },
  { key: "webhook", title: "Webhook", cell: (row) => <WebhookCell event={row.event} /> },
  {
    key: "updated",
    title: "Status since",
    isExtra: true,
    sort: "updated",
    cell: (row) => <When ms={row.updated_at} isDate />,
  },
  {
    key: "bank",
    title: payoutsTexts.bank,
    isExtra: true,
    cell: ({ account }) => <CutText>{account.bank_name || "–"}</CutText>,
  },
  {
    key: "creator",
    title: payoutsTexts.createdBy,
    isExtra: true,
    cell: (row) => <CutText>{whoText(row.created_by)}</CutText>,
  },
];

function payoutName({ amount, currency, receiver }: PayoutLine): string {
  return payoutsTexts.payoutOfTo(moneyText(amount, currency), receiver.name);
}

const tabs = ["all", "pending", "successful", "failed"] as const;

export function PayoutsScreen() {
  const { id, is_closed } = useSubaccount();
  const { email } = useMe();
  const apiOf = useApiOf();
  const pageOf = usePageOf();
  const zone = useZone();
  const [address, setValues] = useFilters();
  const [tab, choose] = useTab(tabs, { name: "status", cleared: ["stage"] });
  const values = withTab(address, tab);
  const currencies = useBalances().map(({ currency }) => currency);
  const mayCreate = useMay("payouts.create") && !is_closed;
  const query = queryOf(values, zone);
  const page = usePage<PayoutLine, PayoutLines>([id, "payouts"], apiOf("/payouts"), {
    ...query,
    sort: values.sort,
  });
  const shownColumns = useShownColumns(columns);
  const sorting = useSorting("-created");
  const selection = useSelection<PayoutLine>((row) => row.id, JSON.stringify([id, query]));
  const mayApprove = useMay("payouts.approve");

  // Amounts are typed in units of the chosen currency, or of the first balance's.
  const unit = values.currency ?? currencies[0] ?? "AUD";
  const change = (changes: Record<string, string | undefined>) =>
    setValues(fromPills(changes, unit));
  return (
    <Screen
      actions={
        <>
          {mayCreate && (
            <>
              <LinkButton to={pageOf("payouts", "new")} icon={Plus} isPrimary>
                {payoutsTexts.newPayout}
              </LinkButton>
              <LinkButton to={pageOf("payouts", "import")} icon={FileUp}>
                Import file
              </LinkButton>
            </>
          )}
          <LinkButton to={pageOf("batches")} icon={Layers}>
            Batches
          </LinkButton>
          <ExportButton path={apiOf("/payouts.csv")} query={query} />
          <PayoutViews shown="list" />
        </>
      }
    >
      <Tabs value={tab} onChange={choose}>
        <StatusTabs isCounted={!isFiltered({ ...query, status: undefined })} />
        <Tabs.Panel value={tab} pt="md">
          <Stack gap="sm">
            <Group justify="space-between" gap="xs">
              <FilterBar
                filters={filtersOf(values, { currencies, me: `operator:${email}`, currency: unit })}
                value={toPills(values, unit, zone)}
                onChange={change}
              />
              <ListTools list="payouts" columns={columns} sorting={sorting} />
            </Group>
            {isFiltered(query) && <FilteredSum query={query} />}
            <SortedAmong answer={page.answer} rows="payouts" />
            <PageTable
              label={payoutsTexts.payouts}
              columns={shownColumns}
              page={page}
              rowKey={(row) => row.id}
              rowHref={(row) => pageOf("payouts", row.id)}
              rowName={payoutName}
              sorting={sorting}
              selection={mayCreate || mayApprove ? selection : undefined}
              empty={<NoPayouts page={page} isFiltered={isFiltered(query)} />}
            />
            <SelectedPayouts selection={selection} />
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </Screen>
  );
}

/** An unknown status is no filter. */
function withTab({ status: _, ...others }: Filters, tab: (typeof tabs)[number]): Filters {
  return tab === "all" ? others : { ...others, status: tab };
}

/** Counts cover all payouts, so they are hidden while other filters are set. */
function StatusTabs({ isCounted }: { isCounted: boolean }) {
  const { id } = useSubaccount();
  const path = useApiOf()("/payouts/counts");
  const { data: counts } = useQuery({
    queryKey: [id, "payouts", "counts"],
    queryFn: ({ signal }) => get<PayoutCounts>(path, {}, signal),
    enabled: isCounted,
  });
  return (
    <Tabs.List>
      {tabs.map((tab) => (
        <Tabs.Tab
          key={tab}
          value={tab}
          px={{ base: 9, sm: "md" }}
          title={tab === "failed" ? payoutsTexts.failedMeans : undefined}
        >
          {payoutsTexts[tab]}
          {isCounted && counts && ` ${cappedText(counts[tab], counts.most)}`}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  );
}

function cappedText(count: number, most: number): string {
  return countText(Math.min(count, most), count > most);
}

function NoPayouts({ page, isFiltered }: { page: ListPage<PayoutLine>; isFiltered: boolean }) {
  const pageOf = usePageOf();
  if (page.onNext) {
    return (
      <Empty
        title="No matches so far"
        hint="Search older payouts, or narrow the dates for faster results."
        action={
          <Button variant="default" onClick={page.onNext}>
            Search older payouts
          </Button>
        }
      />
    );
  }
  if (isFiltered) return <Empty title="No matching payouts" hint={listsTexts.removeAFilter} />;
  return (
    <Empty
      title="No payouts yet"
      hint="Create a payout to a receiver who has passed the identity check."
      action={<LinkButton to={pageOf("quickstart")}>Show the first steps</LinkButton>}
    />
  );
}
