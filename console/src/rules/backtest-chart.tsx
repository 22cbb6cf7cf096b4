// The plot of a backtest, loaded when it is first shown: what the proposed rules would have done on each day. It gets
// everything as props, so that this chunk holds the chart library and nothing else.

import "@mantine/charts/styles.css";
import { BarChart } from "@mantine/charts";

export type ChartSeries = { name: string; label: string; color: string; values: readonly number[] };

export function BacktestChart({
  days,
  series,
  countText,
}: {
  days: readonly string[];
  series: readonly ChartSeries[];
  countText: (count: number) => string;
}) {
  const data = days.map((day, place) => ({
    day,
    ...Object.fromEntries(series.map(({ name, values }) => [name, values[place] ?? 0])),
  }));
  return (
    <BarChart
      h={230}
      data={data}
      dataKey="day"
      type="stacked"
      series={series.map(({ name, label, color }) => ({ name, label, color }))}
      valueFormatter={(count) => countText(count)}
      tickLine="none"
      gridAxis="x"
      tooltipAnimationDuration={0}
      withLegend
      legendProps={{ verticalAlign: "bottom" }}
      xAxisProps={{ interval: "equidistantPreserveStart", minTickGap: 18 }}
      yAxisProps={{ allowDecimals: false, width: 44 }}
      maxBarWidth={36}
      barProps={{ isAnimationActive: false }}
    />
  );
}
