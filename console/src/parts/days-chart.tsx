// Stacked bars for each day, loaded when they are first shown. They get everything as props, so that this chunk holds the
// chart library and nothing else.

import "@mantine/charts/styles.css";
import { BarChart } from "@mantine/charts";

type DaysSeries = { name: string; label: string; color: string; values: readonly number[] };

export function DaysChart({
  days,
  series,
  height,
  valueText,
  axisText,
}: {
  days: readonly string[];
  series: readonly DaysSeries[];
  height: number;
  valueText: (value: number) => string;
  /** Absent: whole numbers, as they are. */
  axisText?: (value: number) => string;
}) {
  const data = days.map((day, place) => ({
    day,
    ...Object.fromEntries(series.map(({ name, values }) => [name, values[place] ?? 0])),
  }));
  return (
    <BarChart
      h={height}
      data={data}
      dataKey="day"
      type="stacked"
      series={series.map(({ name, label, color }) => ({ name, label, color }))}
      valueFormatter={valueText}
      tickLine="none"
      gridAxis="x"
      tooltipAnimationDuration={0}
      withLegend
      legendProps={{ verticalAlign: "bottom" }}
      xAxisProps={{ interval: "equidistantPreserveStart", minTickGap: 18 }}
      yAxisProps={
        axisText
          ? { width: 48, tickCount: 4, tickFormatter: axisText }
          : { width: 48, allowDecimals: false }
      }
      maxBarWidth={32}
      barProps={{ isAnimationActive: false }}
    />
  );
}
