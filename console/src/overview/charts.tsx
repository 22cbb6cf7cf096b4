// The charts of the overview.

import { Chart } from "../parts/chart.tsx";
import { countText } from "../state/locale.ts";
import { moneyText } from "../state/money.ts";
import { overviewTexts } from "../texts/overview.ts";
import { compactText, durationText, durationTicks, volumeChartsMax } from "./figures.ts";
import type { Overview } from "./overview.ts";

const tall = 206;

type ChartProps = {
  overview: Overview;
  labels: readonly string[];
  /** Opens the list of a bucket, given by its place; of one series where that is known. */
  onOpen: (place: number, series?: string) => void;
};

const counts = { axis: { text: countText }, valueText: countText };

export function PayoutsChart({ overview: { plots }, labels, onOpen }: ChartProps) {
  const of = (name: "successful" | "pending" | "failed", color: string) => ({
    ...{ name, label: overviewTexts[name], color: `var(--plot-${color})` },
    values: plots.payouts.map((bucket) => bucket[name]),
  });
  const series = [of("successful", "paid"), of("pending", "pending"), of("failed", "failed")];
  return <Chart labels={labels} height={tall} series={series} {...counts} onOpen={onOpen} />;
}

/** One for each of the busiest currencies, with an axis of its own: amounts of two currencies have nothing to do with each other. */
export function VolumeChart({ overview: { plots }, labels, onOpen }: ChartProps) {
  const shown = Math.min(plots.volume.length, volumeChartsMax);
  return plots.volume.slice(0, shown).map(({ currency, amounts }) => (
    <div key={currency}>
      {shown > 1 && <strong style={{ fontSize: 12 }}>{currency}</strong>}
      <Chart
        labels={labels}
        height={shown === 1 ? tall : Math.max(96, tall / shown - 14)}
        series={[
          {
            ...{ name: currency, label: currency, color: "var(--plot-paid)" },
            values: amounts.map(Number),
          },
        ]}
        axis={{ text: (amount) => compactText(amount, currency) }}
        valueText={(amount) => moneyText(amount, currency)}
        withLegend={shown === 1}
        onOpen={(place) => onOpen(place, currency)}
      />
    </div>
  ));
}

const durationAxis = (values: readonly (number | null)[]) => ({
  ...{ text: durationText, width: 56 },
  ticks: durationTicks(Math.max(...values.map(Number))),
});

export function SettlingChart({ overview: { plots }, labels, onOpen }: ChartProps) {
  const p95 = plots.settling.map(({ p95_ms }) => p95_ms);
  const percentile = { name: "p95", label: "95th percentile", color: "var(--plot-measure)" };
  const series = [
    {
      ...{ name: "p50", label: overviewTexts.median, color: "var(--plot-measure)", isLine: true },
      values: plots.settling.map(({ p50_ms }) => p50_ms),
    },
    { ...percentile, values: p95, isLine: true, dash: "5 4" },
  ];
  return (
    <Chart
      labels={labels}
      height={tall}
      series={series}
      axis={durationAxis(p95)}
      valueText={durationText}
      onOpen={(place) => onOpen(place)}
    />
  );
}

export function WebhooksChart({ overview: { plots }, labels, onOpen }: ChartProps) {
  const p95 = plots.webhooks.map(({ p95_ms }) => p95_ms);
  const of = (name: "ok" | "retried" | "failed", label: string, color: string) => ({
    ...{ name, label, color: `var(--plot-${color})` },
    values: plots.webhooks.map((bucket) => bucket[name]),
  });
  const percentile = { name: "p95", label: "95th percentile", color: "var(--plot-measure)" };
  const series = [
    of("ok", overviewTexts.deliveredFirstTry, "paid"),
    of("retried", overviewTexts.deliveredAfterRetry, "pending"),
    of("failed", overviewTexts.failed, "failed"),
    { ...percentile, values: p95, isLine: true },
  ];
  return (
    <Chart
      labels={labels}
      height={tall}
      series={series}
      {...counts}
      lineAxis={durationAxis(p95)}
      onOpen={(place) => onOpen(place)}
    />
  );
}
