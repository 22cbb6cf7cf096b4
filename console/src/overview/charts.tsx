// The plots that need the chart library, loaded when they are first shown. They get everything as props, so that this
// chunk holds the library and nothing else.

import "@mantine/charts/styles.css";
import { BarChart, CompositeChart, LineChart } from "@mantine/charts";
import { chartTexts } from "../texts/charts.ts";
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
/** The ticks of an axis that reaches at least this value. */
type Ticks = (max: number) => number[];

function scaleOf(ticks: number[]) {
  return { ticks, domain: [0, ticks.at(-1) ?? 0] as [number, number], interval: 0 as const };
}

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
        { name: "successful", label: chartTexts.successful, color: "var(--plot-paid)" },
        { name: "pending", label: chartTexts.pending, color: "var(--plot-pending)" },
        { name: "failed", label: chartTexts.failed, color: "var(--plot-failed)" },
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

/** One for each of the busiest currencies, with an axis of its own: amounts of two currencies have nothing to do with each other. */
export function VolumeChart({
  overview: { plots },
  labels,
  onOpen,
  moneyText,
  compactText,
  most,
}: ChartProps &
  Record<"moneyText" | "compactText", (amount: number, currency: string) => string> & {
    most: number;
  }) {
  const shown = Math.min(plots.volume.length, most);
  return plots.volume.slice(0, most).map(({ currency, amounts }, index) => (
    <div key={currency}>
      {shown > 1 && <strong style={{ fontSize: 12 }}>{currency}</strong>}
      <BarChart
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
        maxBarWidth={36}
        barProps={{ isAnimationActive: false }}
        barChartProps={clicking((place) => onOpen(place, currency))}
      />
    </div>
  ));
}

export function SettlingChart({
  overview: { plots },
  labels,
  onOpen,
  spanText,
  ticksUpTo,
}: ChartProps & { spanText: Numbers; ticksUpTo: Ticks }) {
  const ticks = ticksUpTo(Math.max(...plots.settling.map(({ p95_ms }) => p95_ms ?? 0)));
  return (
    <LineChart
      {...look}
      h={tall}
      data={plots.settling.map((one, place) => ({ ...one, label: labels[place] }))}
      series={[
        { name: "p50_ms", label: chartTexts.median, color: "var(--plot-paid)" },
        {
          name: "p95_ms",
          label: "95th percentile",
          color: "var(--plot-failed)",
          strokeDasharray: "5 4",
        },
      ]}
      valueFormatter={spanText}
      yAxisProps={{ width: 56, tickFormatter: spanText, ...scaleOf(ticks) }}
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
  ticksUpTo,
}: ChartProps & { countText: Numbers; spanText: Numbers; ticksUpTo: Ticks }) {
  const ticks = ticksUpTo(Math.max(...plots.webhooks.map(({ p95_ms }) => p95_ms ?? 0)));
  return (
    <CompositeChart
      {...look}
      h={tall}
      data={plots.webhooks.map((one, place) => ({ ...one, label: labels[place] }))}
      series={[
        {
          name: "ok",
          label: chartTexts.deliveredFirstTry,
          color: "var(--plot-paid)",
          type: "bar",
        },
        {
          name: "retried",
          label: chartTexts.deliveredAfterRetry,
          color: "var(--plot-pending)",
          type: "bar",
        },
        { name: "failed", label: chartTexts.failed, color: "var(--plot-failed)", type: "bar" },
        {
          name: "p95_ms",
          label: "95th percentile, ms",
          color: "var(--plot-line)",
          type: "line",
          yAxisId: "right",
        },
      ]}
      barProps={{ stackId: "attempts", isAnimationActive: false }}
      lineProps={{ isAnimationActive: false }}
      curveType="linear"
      valueFormatter={(value) => countText(value)}
      yAxisProps={{ allowDecimals: false, width: 44 }}
      rightYAxisProps={{ width: 56, tickFormatter: spanText, ...scaleOf(ticks) }}
      withRightYAxis
      maxBarWidth={36}
      composedChartProps={clicking(onOpen)}
    />
  );
}
