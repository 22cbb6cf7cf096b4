// The plots that need a chart library, loaded when they are first shown. They are told everything, so that this part
// brings the library and nothing else.

import "@mantine/charts/styles.css";
import { AreaChart, BarChart, CompositeChart, LineChart } from "@mantine/charts";
import type { Overview } from "./overview.ts";

const look = {
  dataKey: "label",
  tickLine: "none",
  gridAxis: "x",
  tooltipAnimationDuration: 0,
  xAxisProps: { interval: "equidistantPreserveStart", minTickGap: 18 },
  withLegend: true,
  legendProps: { verticalAlign: "bottom" },
} as const;
const tall = 230;
const pointed = { style: { cursor: "pointer" } };

type Numbers = (value: number) => string;

type ChartProps = {
  overview: Overview;
  labels: readonly string[];
  /** Opens the list of a bucket, given by its place; of one series where that is known. */
  onOpen: (place: number, series?: string) => void;
};

/** From a click anywhere above a bucket to its place. */
type Clicked = { activeTooltipIndex?: number | string | null | undefined };
const clicking = (onOpen: (place: number) => void) => ({
  ...pointed,
  onClick: ({ activeTooltipIndex: place }: Clicked) => {
    if (place !== undefined && place !== null) onOpen(Number(place));
  },
});

export function PayoutsChart({
  overview: { plots },
  labels,
  onOpen,
  countText,
}: ChartProps & { countText: Numbers }) {
  return (
    <BarChart
      {...look}
      h={tall}
      data={plots.payouts.map((one, place) => ({ ...one, label: labels[place], place }))}
      type="stacked"
      series={[
        { name: "successful", label: "Successful", color: "var(--plot-paid)" },
        { name: "pending", label: "Pending", color: "var(--plot-pending)" },
        { name: "failed", label: "Failed", color: "var(--plot-failed)" },
      ]}
      valueFormatter={(value) => countText(value)}
      yAxisProps={{ allowDecimals: false, width: 44 }}
      maxBarWidth={36}
      barProps={({ name }) => ({
        isAnimationActive: false,
        cursor: "pointer",
        onClick: ({ payload }: { payload?: { place?: number } }) => {
          if (payload?.place !== undefined) onOpen(payload.place, name);
        },
      })}
    />
  );
}

/** One for each currency, with an axis of its own: amounts of two currencies have nothing to do with each other. */
export function VolumeChart({
  overview: { plots },
  labels,
  onOpen,
  moneyText,
  compactText,
}: ChartProps & Record<"moneyText" | "compactText", (amount: number, currency: string) => string>) {
  const shown = plots.volume.length;
  return plots.volume.map(({ currency, amounts }, index) => (
    <div key={currency}>
      {shown > 1 && <strong style={{ fontSize: 12 }}>{currency}</strong>}
      <AreaChart
        {...look}
        withLegend={shown === 1}
        h={shown === 1 ? tall : Math.max(96, tall / shown - 22)}
        data={amounts.map((amount, place) => ({ amount: Number(amount), label: labels[place] }))}
        series={[{ name: "amount", label: currency, color: `var(--plot-currency-${index % 4})` }]}
        valueFormatter={(amount) => moneyText(amount, currency)}
        yAxisProps={{
          width: 44,
          tickCount: 3,
          tickFormatter: (amount: number) => compactText(amount, currency),
        }}
        curveType="monotone"
        withDots={false}
        areaProps={{ isAnimationActive: false }}
        areaChartProps={clicking((place) => onOpen(place, currency))}
      />
    </div>
  ));
}

export function SettlingChart({
  overview: { plots },
  labels,
  onOpen,
  spanText,
}: ChartProps & { spanText: Numbers }) {
  return (
    <LineChart
      {...look}
      h={tall}
      data={plots.settling.map((one, place) => ({ ...one, label: labels[place] }))}
      series={[
        { name: "p50_ms", label: "Half within", color: "var(--plot-paid)" },
        {
          ...{ name: "p95_ms", label: "95 % within", color: "var(--plot-failed)" },
          strokeDasharray: "5 4",
        },
      ]}
      valueFormatter={spanText}
      yAxisProps={{ width: 56, tickFormatter: spanText }}
      curveType="linear"
      connectNulls={false}
      lineProps={{ isAnimationActive: false }}
      lineChartProps={clicking(onOpen)}
    />
  );
}

export function WebhooksChart({
  overview: { plots },
  labels,
  onOpen,
  countText,
  spanText,
}: ChartProps & { countText: Numbers; spanText: Numbers }) {
  return (
    <CompositeChart
      {...look}
      h={tall}
      data={plots.webhooks.map((one, place) => ({ ...one, label: labels[place] }))}
      series={[
        { name: "ok", label: "At once", color: "var(--plot-paid)", type: "bar" },
        { name: "retried", label: "Later", color: "var(--plot-pending)", type: "bar" },
        { name: "failed", label: "Not heard", color: "var(--plot-failed)", type: "bar" },
        {
          ...{ name: "p95_ms", label: "95 % within, in ms", color: "var(--plot-line)" },
          ...{ type: "line", yAxisId: "right" },
        },
      ]}
      barProps={{ stackId: "attempts", isAnimationActive: false }}
      lineProps={{ isAnimationActive: false }}
      valueFormatter={(value) => countText(value)}
      yAxisProps={{ allowDecimals: false, width: 44 }}
      rightYAxisProps={{ width: 56, tickFormatter: spanText }}
      withRightYAxis
      maxBarWidth={36}
      composedChartProps={clicking(onOpen)}
    />
  );
}
