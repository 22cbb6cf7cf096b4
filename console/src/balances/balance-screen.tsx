// One balance: its figures, and the money flow and the statement lines of a month, newest first.

import { Text } from "@mantine/core";
import type { BalanceLine } from "@server/doors/console/balances/schema.ts";
import { useParams } from "@tanstack/react-router";
import { useApiOf, usePageOf, useSubaccount } from "../api/me.ts";
import { usePage } from "../api/page.ts";
import { Empty } from "../parts/empty.tsx";
import { ExportButton } from "../parts/export-button.tsx";
import { Money } from "../parts/money.tsx";
import { MonthField } from "../parts/month-field.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Panel } from "../parts/panel.tsx";
import { Screen } from "../parts/screen.tsx";
import { When } from "../parts/when.tsx";
import { useFilters } from "../state/filters.ts";
import { moneyText } from "../state/money.ts";
import { monthOf } from "../state/months.ts";
import { balancesTexts } from "../texts/balances.ts";
import { AddTestFunds } from "./add-test-funds.tsx";
import { BalanceFigures } from "./balance-figures.tsx";
import { useBalancesNow } from "./balances.ts";
import { MoneyFlow } from "./money-flow.tsx";

export function BalanceScreen() {
  const { currency = "" } = useParams({ strict: false });
  const pageOf = usePageOf();
  const apiOf = useApiOf();
  const [{ month }, setFilters] = useFilters();
  const balance = useBalancesNow().data?.balances.find((one) => one.currency === currency);
  const files = { month: month ?? monthOf(Date.now()), currency };
  return (
    <Screen
      title={`Balance of ${currency}`}
      above={<PageLink to={pageOf("balances")}>{balancesTexts.balances}</PageLink>}
      actions={
        <>
          <MonthField month={month} onChange={(chosen) => setFilters({ month: chosen })} />
          <ExportButton path={apiOf("/statement.csv")} query={files} label="Statement (CSV)" />
          <ExportButton path={apiOf("/statement.pdf")} query={files} label="Statement (PDF)" />
          <AddTestFunds currency={currency} />
        </>
      }
    >
      {balance && (
        <Panel>
          <BalanceFigures balance={balance} />
        </Panel>
      )}
      <MoneyFlow currency={currency} month={month} />
      <Lines currency={currency} month={month} />
    </Screen>
  );
}

function Lines({ currency, month }: { currency: string; month: string | undefined }) {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const pageOf = usePageOf();
  const query = { currency, month };
  const page = usePage<BalanceLine>(
    [id, "payouts", "balance-lines"],
    apiOf("/balances/lines"),
    query,
  );
  const columns: Column<BalanceLine>[] = [
    { key: "at", phone: "sub", title: "Time", cell: ({ at }) => <When ms={at} isDate /> },
    {
      key: "description",
      phone: "lead",
      title: "What",
      cell: ({ description }) => description,
    },
    {
      key: "party",
      phone: "sub-middle",
      title: "Receiver or payer",
      cell: ({ party }) => party || "–",
    },
    {
      key: "reference",
      title: "Reference",
      cell: ({ reference }) => reference || "–",
    },
    {
      key: "amount",
      phone: "lead-end",
      title: balancesTexts.amount,
      align: "right",
      cell: ({ amount }) => <Money amount={amount} currency={currency} />,
    },
    {
      key: "balance",
      phone: "sub-end",
      title: "Balance",
      align: "right",
      cell: ({ balance }) => <Money amount={balance} currency={currency} />,
    },
  ];
  return (
    <>
      <Text size="sm" c="dimmed">
        Newest first. The balance is available, held and in transit together: a payout leaves it
        when the bank has paid it.
      </Text>
      <PageTable
        label={balancesTexts.linesOf(currency)}
        columns={columns}
        page={page}
        rowKey={({ id: lineId }) => lineId}
        rowHref={({ payout_id }) => payout_id && pageOf("payouts", payout_id)}
        rowName={({ description, amount }) => `${description}, ${moneyText(amount, currency)}`}
        empty={
          page.onNext ? (
            <Empty title="No lines among the transfers of this page. Go to the next page." />
          ) : (
            <Empty
              title="No lines in this month"
              hint="Payouts that are held or in transit have no line yet."
            />
          )
        }
      />
    </>
  );
}
