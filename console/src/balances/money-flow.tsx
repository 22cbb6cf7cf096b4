// The money flow of a month: the opening balance, what came in, and what became of it, to the cent.

import { Text } from "@mantine/core";
import type { MoneyFlow as Flow } from "@server/doors/console/balances/schema.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { useApiOf, usePageOf, useSubaccount } from "../api/me.ts";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { PlotTable } from "../parts/plot-table.tsx";
import { Problem } from "../parts/problem.tsx";
import { countText } from "../state/locale.ts";
import { moneyText, type Sum } from "../state/money.ts";
import { monthText } from "../state/months.ts";

const behindMs = 1_500;

export function MoneyFlow({ currency, month }: { currency: string; month: string | undefined }) {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const query = { currency, month };
  const { data, error, refetch } = useQuery({
    queryKey: [id, "payouts", "money-flow", query],
    queryFn: ({ signal }) => get<Flow>(apiOf("/balances/flow"), query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => ((state.data?.behind ?? 0) > 0 ? behindMs : false),
  });
  if (!data) return <Problem error={error} onRetry={() => void refetch()} />;
  return <FlowPanel flow={data} />;
}

function FlowPanel({ flow }: { flow: Flow }) {
  const { currency, month, behind } = flow;
  return (
    <Panel title={`Money flow, ${monthText(month)}`}>
      {behind > 0 && (
        <Text size="sm" c="dimmed" mb="xs">
          {`The figures are still being calculated: ${countText(behind)} transfers left.`}
        </Text>
      )}
      {Number(flow.difference) !== 0 && (
        <Text size="sm" c="red" mb="xs">
          {`These figures differ by ${moneyText(flow.difference, currency)}. Books shows which figures do not agree.`}
        </Text>
      )}
      <FlowTable flow={flow} />
    </Panel>
  );
}

function FlowTable({ flow }: { flow: Flow }) {
  const { currency, month } = flow;
  const pageOf = usePageOf();
  const paid = `${pageOf("payouts")}?${new URLSearchParams({ status: "successful", currency })}`;
  const rows: [string, string, Sum][] = [
    ["Opening balance", "", flow.opening],
    ["Funded", "+", flow.funded],
    ["Returned payouts", "+", flow.returned],
    ["Fees given back", "+", flow.fees_refunded],
    ["Paid", "−", flow.paid],
    ["Fees", "−", flow.fees],
    ["Reversed fundings", "−", flow.reversed],
    ["Closing balance", "=", flow.closing],
    ["of which available", "", flow.available],
    ["of which held", "", flow.held],
    ["of which in transit", "", flow.in_transit],
    ["Rejected by the bank, never left the balance", "", flow.rejected],
    ["Released before sending, never left the balance", "", flow.released],
  ];
  return (
    <PlotTable
      caption={`Money flow of ${currency} in ${monthText(month)}`}
      isWhole
      heads={["What", "Amount"]}
      rows={rows.map(([name, sign, amount]) => ({
        key: name,
        head: name === "Paid" ? <PageLink to={paid}>{name}</PageLink> : name,
        cells: [
          <span key={name}>
            {sign} <Money amount={amount} currency={currency} />
          </span>,
        ],
      }))}
    />
  );
}
