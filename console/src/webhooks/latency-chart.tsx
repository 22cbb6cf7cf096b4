// The histogram of response times, loaded when it is first shown. It gets everything as props, so that this chunk holds
// the chart library and nothing else.

import "@mantine/charts/styles.css";
import { BarChart } from "@mantine/charts";

export function LatencyChart({
  bars,
  label,
  countText,
}: {
  bars: readonly { range: string; count: number }[];
  label: string;
  countText: (count: number) => string;
}) {
  return (
    <BarChart
      h={230}
      data={bars.map((bar) => ({ ...bar }))}
      dataKey="range"
      series={[{ name: "count", label, color: "var(--plot-paid)" }]}
      valueFormatter={(count) => countText(count)}
      tickLine="none"
      gridAxis="x"
      tooltipAnimationDuration={0}
      xAxisProps={{ interval: "equidistantPreserveStart", minTickGap: 10 }}
      yAxisProps={{ allowDecimals: false, width: 48 }}
      barProps={{ isAnimationActive: false }}
    />
  );
}
