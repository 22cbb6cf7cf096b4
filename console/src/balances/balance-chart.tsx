// The trend of a balance, loaded when it is first shown. It gets everything as props, so that this chunk holds the chart
// library and nothing else.

import "@mantine/charts/styles.css";
import { BarChart } from "@mantine/charts";

export type TrendSeries = {
  name: string;
  label: string;
  color: string;
  values: readonly number[];
};

export function BalanceChart({
  days,
  series,
  moneyText,
  compactText,
}: {
  days: readonly string[];
  series: readonly TrendSeries[];
  moneyText: (amount: number) => string;
  compactText: (amount: number) => string;
}) {
  const data = days.map((day, place) => ({
    day,
    ...Object.fromEntries(series.map(({ name, values }) => [name, values[place] ?? 0])),
  }));
  return (
    <BarChart
      h={190}
      data={data}
      dataKey="day"
      type="stacked"
      series={series.map(({ name, label, color }) => ({ name, label, color }))}
      valueFormatter={moneyText}
      tickLine="none"
      gridAxis="x"
      tooltipAnimationDuration={0}
      withLegend
      legendProps={{ verticalAlign: "bottom" }}
      xAxisProps={{ interval: "equidistantPreserveStart", minTickGap: 18 }}
      yAxisProps={{ width: 48, tickCount: 4, tickFormatter: compactText }}
      maxBarWidth={28}
      barProps={{ isAnimationActive: false }}
    />
  );
}
