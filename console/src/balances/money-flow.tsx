// The money flow of a month: the opening balance and what came in, and what became of it. To the cent, also as a table.

import { Text } from "@mantine/core";
import type { MoneyFlow as Flow } from "@server/doors/console/balances/schema.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { useApiOf, usePageOf, useSubaccount } from "../api/me.ts";
import { type Figure, FlowPicture } from "../parts/flow-picture.tsx";
import { Money } from "../parts/money.tsx";
import { Plot } from "../parts/plot.tsx";
import { PlotTable } from "../parts/plot-table.tsx";
import { Problem } from "../parts/problem.tsx";
import { countText } from "../state/locale.ts";
import { moneyText, type Sum } from "../state/money.ts";
import { monthText } from "../state/months.ts";
import { flowTexts } from "../texts/flow.ts";

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
  const { currency, month, behind, opening, closing } = flow;
  const pageOf = usePageOf();
  const paid = `${pageOf("payouts")}?${new URLSearchParams({ status: "successful", currency })}`;
  const left = shown([
    { key: "opening", tone: "balance", name: flowTexts.opening, amount: opening },
    { key: "funded", tone: "in", name: flowTexts.funded, amount: flow.funded },
    { key: "returned", tone: "back", name: flowTexts.returned, amount: flow.returned },
    { key: "refunded", tone: "fees", name: flowTexts.feesRefunded, amount: flow.fees_refunded },
  ]);
  const right = shown([
    { key: "paid", tone: "paid", name: flowTexts.paid, amount: flow.paid, to: paid },
    { key: "fees", tone: "fees", name: flowTexts.fees, amount: flow.fees },
    { key: "reversed", tone: "suspense", name: flowTexts.reversed, amount: flow.reversed },
    { key: "closing", tone: "balance", name: flowTexts.closing, amount: closing },
  ]);
  const said = `Money flow of ${currency} in ${monthText(month)}. In: ${left.map(({ name, amount }) => `${name} ${moneyText(amount, currency)}`).join(", ")}. Out: ${right.map(({ name, amount }) => `${name} ${moneyText(amount, currency)}`).join(", ")}.`;
  return (
    <Plot
      title={`Money flow, ${monthText(month)}`}
      isEmpty={left.every(({ amount }) => Number(amount) === 0)}
      above={
        <>
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
        </>
      }
      plot={
        <FlowPicture
          label={said}
          heads={["Came from", "Total", "Became"]}
          total={totalOf(left)}
          currency={currency}
          left={left}
          right={right}
        />
      }
      table={<FlowTable flow={flow} />}
    />
  );
}

/** Opening and closing balance, fundings and payments always, the others where there are any. */
function shown(figures: readonly Figure[]): Figure[] {
  const always = ["opening", "funded", "paid", "closing"];
  return figures.filter(({ key, amount }) => always.includes(key) || Number(amount) !== 0);
}

/** Exact, also where a number is not. */
function totalOf(figures: readonly Figure[]): string {
  return String(figures.reduce((sum, { amount }) => sum + BigInt(amount), 0n));
}

function FlowTable({ flow }: { flow: Flow }) {
  const { currency, month } = flow;
  const rows: [string, string, Sum][] = [
    [flowTexts.opening, "", flow.opening],
    [flowTexts.funded, "+", flow.funded],
    [flowTexts.returned, "+", flow.returned],
    [flowTexts.feesRefunded, "+", flow.fees_refunded],
    [flowTexts.paid, "−", flow.paid],
    [flowTexts.fees, "−", flow.fees],
    [flowTexts.reversed, "−", flow.reversed],
    [flowTexts.closing, "=", flow.closing],
    ["of it available", "", flow.available],
    ["of it held", "", flow.held],
    ["of it in transit", "", flow.in_transit],
    ["Rejected by the bank, never left the balance", "", flow.rejected],
    ["Released before sending, never left the balance", "", flow.released],
  ];
  return (
    <PlotTable
      caption={`Money flow of ${currency} in ${monthText(month)}`}
      heads={["What", "Amount"]}
      rows={rows.map(([name, sign, amount]) => ({
        key: name,
        head: name,
        cells: [
          <span key={name}>
            {sign} <Money amount={amount} currency={currency} />
          </span>,
        ],
      }))}
    />
  );
}
