// The lines behind the figures of the picture: money by subaccount, and the company's own.

import { Text } from "@mantine/core";
import type { CompanyLine, HolderLine } from "@server/doors/console/statements/schema.ts";
import { Navigate } from "@tanstack/react-router";
import { usePage } from "../api/page.ts";
import { Empty } from "../parts/empty.tsx";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Screen } from "../parts/screen.tsx";
import { When } from "../parts/when.tsx";
import { useFilters } from "../state/filters.ts";
import { whoText } from "../state/who.ts";
import { statementsTexts } from "../texts/statements.ts";

const balancesTitle = {
  available: "Available money",
  held: "Held money",
  clearing: "Money in transit",
  fees: "Fees",
} as Record<string, string>;

const back = <PageLink to="/reconcile">{statementsTexts.reconcile}</PageLink>;

const accounts = [
  ["available", statementsTexts.figures.available],
  ["held", statementsTexts.figures.held],
  ["in_transit", statementsTexts.figures.in_transit],
  ["fees", statementsTexts.figures.fees],
] as const;

/** Both pages show one currency. An address without one leads to Reconcile, where the user chooses. */
export function HoldersScreen() {
  const [{ currency }] = useFilters();
  return currency ? <Holders currency={currency} /> : <Navigate to="/reconcile" replace />;
}

function Holders({ currency }: { currency: string }) {
  const [{ mode = "live", of = "available" }] = useFilters();
  const query = { mode, currency, of };
  const page = usePage<HolderLine>(["banks", "reconcile"], "/reconcile/balances", query);
  const columns: Column<HolderLine>[] = [
    {
      key: "subaccount",
      title: statementsTexts.subaccount,
      isLink: true,
      cell: ({ name }) => name,
    },
    ...accounts.map(
      ([name, title]): Column<HolderLine> => ({
        key: name,
        title,
        align: "right",
        cell: (row) => <Money amount={row[name]} currency={currency} />,
      }),
    ),
  ];
  const title = balancesTitle[of] ?? statementsTexts.money;
  return (
    <Screen title={`${title}, ${currency}`} above={back}>
      <Text size="sm" c="dimmed">
        By subaccount, largest first. A row opens the subaccount's books.
      </Text>
      <PageTable
        label={title}
        columns={columns}
        page={page}
        rowKey={({ subaccount_id }) => subaccount_id}
        rowHref={({ subaccount_id }) => `/s/${subaccount_id}/reconcile`}
        empty={<Empty title="No subaccount has any" />}
      />
    </Screen>
  );
}

export function CompanyScreen() {
  const [{ currency }] = useFilters();
  return currency ? <CompanyMoney currency={currency} /> : <Navigate to="/reconcile" replace />;
}

function CompanyMoney({ currency }: { currency: string }) {
  const [{ mode = "live" }] = useFilters();
  const query = { mode, currency };
  const page = usePage<CompanyLine>(["banks", "reconcile"], "/reconcile/company", query);
  const columns: Column<CompanyLine>[] = [
    { key: "what", title: "What", cell: (row) => <BookedFor row={row} /> },
    { key: "at", title: statementsTexts.day, cell: ({ at }) => <When ms={at} isDate /> },
    { key: "by", title: "By", cell: ({ by }) => whoText(by) },
    {
      key: "amount",
      title: statementsTexts.amount,
      align: "right",
      cell: ({ amount }) => <Money amount={amount} currency={currency} />,
    },
  ];
  return (
    <Screen title={`${statementsTexts.companyMoney}, ${currency}`} above={back}>
      <Text size="sm" c="dimmed">
        What it put in or took out, and what banks charge. Newest first.
      </Text>
      <PageTable
        label={statementsTexts.companyMoney}
        columns={columns}
        page={page}
        rowKey={({ id }) => id}
        empty={<Empty title="No such transfers yet" />}
      />
    </Screen>
  );
}

function BookedFor({ row: { line_id, suspense_id, reference } }: { row: CompanyLine }) {
  if (line_id !== null)
    return <PageLink to={`/reconcile/lines/${line_id}`}>Statement line</PageLink>;
  if (suspense_id !== null)
    return (
      <PageLink to={`/banks/suspense/${suspense_id}`}>{statementsTexts.openSuspense}</PageLink>
    );
  return reference.startsWith("opening ") ? "Opening balance" : reference;
}
