// The six plots, each also as a table.

import { Button, Skeleton, Text } from "@mantine/core";
import { ChartColumn, Table2 } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { moneyText } from "../state/money.ts";
import { spanText } from "../state/time.ts";
import { useZone } from "../state/zone.ts";
import { Bars } from "./bars.tsx";
import { labelsOf, useListAddress, useOpen } from "./buckets.ts";
import { compactText, countText, durationText, shareText } from "./figures.ts";
import styles from "./overview.module.css";
import type { Overview } from "./overview.ts";
import { PlotTable } from "./plot-table.tsx";

const charts = () => import("./charts.tsx");
const PayoutsChart = lazy(async () => ({ default: (await charts()).PayoutsChart }));
const VolumeChart = lazy(async () => ({ default: (await charts()).VolumeChart }));
const SettlingChart = lazy(async () => ({ default: (await charts()).SettlingChart }));
const WebhooksChart = lazy(async () => ({ default: (await charts()).WebhooksChart }));

export function Plots({ overview }: { overview: Overview }) {
  return (
    <div className={styles.plots}>
      <PayoutsPlot overview={overview} />
      <VolumePlot overview={overview} />
      <SettlingPlot overview={overview} />
      <CausesPlot overview={overview} />
      <WebhooksPlot overview={overview} />
      <KycPlot overview={overview} />
    </div>
  );
}

type PlotProps = { overview: Overview };

function Plot({
  title,
  isEmpty,
  plot,
  table,
}: {
  title: string;
  isEmpty: boolean;
  plot: ReactNode;
  table: ReactNode;
}) {
  const [isTable, setTable] = useState(false);
  const Icon = isTable ? ChartColumn : Table2;
  return (
    <Panel
      title={title}
      actions={
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={<Icon size={14} aria-hidden />}
          aria-label={`${title}: view as ${isTable ? "plot" : "table"}`}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? "Plot" : "Table"}
        </Button>
      }
    >
      {isEmpty && !isTable ? (
        <Text size="sm" c="dimmed" className={styles.nothing ?? ""}>
          Nothing in this time.
        </Text>
      ) : isTable ? (
        table
      ) : (
        <Suspense fallback={<Skeleton h={230} />}>{plot}</Suspense>
      )}
    </Panel>
  );
}

function PayoutsPlot({ overview }: PlotProps) {
  const { buckets, plots, currency } = overview;
  const labels = labelsOf(buckets, useZone());
  const address = useListAddress();
  const open = useOpen();
  const link = (index: number, status: string, count: number) =>
    count === 0 ? (
      "0"
    ) : (
      <PageLink to={address("payouts", buckets[index], { status, currency })}>
        {countText(count)}
      </PageLink>
    );
  return (
    <Plot
      title="Payouts by status"
      isEmpty={plots.payouts.every((one) => one.pending + one.successful + one.failed === 0)}
      plot={
        <PayoutsChart
          {...{ overview, labels, countText }}
          onOpen={(place, status) => open("payouts", buckets[place], { status, currency })}
        />
      }
      table={
        <PlotTable
          caption="Payouts by the time at which they were made, and by status"
          heads={["Made", "Successful", "Pending", "Failed"]}
          rows={plots.payouts.map(({ successful, pending, failed }, index) => ({
            ...{ key: String(buckets[index]?.from), head: labels[index] },
            cells: [
              link(index, "successful", successful),
              link(index, "pending", pending),
              link(index, "failed", failed),
            ],
          }))}
        />
      }
    />
  );
}

function VolumePlot({ overview }: PlotProps) {
  const { buckets, plots } = overview;
  const labels = labelsOf(buckets, useZone());
  const address = useListAddress();
  const open = useOpen();
  return (
    <Plot
      title="Volume by currency"
      isEmpty={plots.volume.every(({ amounts }) => amounts.every((amount) => amount === 0))}
      plot={
        <VolumeChart
          {...{ overview, labels, moneyText, compactText }}
          onOpen={(place, currency) =>
            open("payouts", buckets[place], { status: "successful", currency })
          }
        />
      }
      table={
        <PlotTable
          caption="Successful payouts by the time at which they were made, by currency"
          heads={["Made", ...plots.volume.map(({ currency }) => currency)]}
          rows={buckets.map((bucket, index) => ({
            ...{ key: String(bucket.from), head: labels[index] },
            cells: plots.volume.map(({ currency, amounts }) => (
              <PageLink
                key={currency}
                to={address("payouts", bucket, { status: "successful", currency })}
              >
                <Money amount={amounts[index] ?? 0} currency={currency} />
              </PageLink>
            )),
          }))}
        />
      }
    />
  );
}

const span = (ms: number | null) => (ms === null ? "–" : spanText(ms));

function SettlingPlot({ overview }: PlotProps) {
  const { buckets, plots, currency } = overview;
  const labels = labelsOf(buckets, useZone());
  const open = useOpen();
  return (
    <Plot
      title="Time to settle"
      isEmpty={plots.settling.every(({ count }) => count === 0)}
      plot={
        <SettlingChart
          {...{ overview, labels }}
          spanText={durationText}
          onOpen={(place) => open("payouts", buckets[place], { status: "successful", currency })}
        />
      }
      table={
        <PlotTable
          caption="About how long payouts took until they were paid, by the time at which they were made"
          heads={["Made", "Paid", "Half within", "95 % within"]}
          rows={plots.settling.map(({ count, p50_ms, p95_ms }, index) => ({
            ...{ key: String(buckets[index]?.from), head: labels[index] },
            cells: [countText(count), span(p50_ms), span(p95_ms)],
          }))}
        />
      }
    />
  );
}

function CausesPlot({ overview }: PlotProps) {
  const { buckets, plots, currency, tiles } = overview;
  const address = useListAddress();
  const [first, last] = [buckets[0], buckets.at(-1)];
  const whole = first && last && { from: first.from, to: last.to };
  const to = address("payouts", whole, { status: "failed", currency });
  const nameOf = ({ cause, code }: Overview["plots"]["causes"][number]) =>
    code === "" ? cause : `${cause} (${code})`;
  return (
    <Plot
      title="Failure causes"
      isEmpty={plots.causes.length === 0}
      plot={
        <Bars
          label="Failed payouts by cause"
          bars={plots.causes.map((one) => ({
            ...{ name: nameOf(one), count: one.count, tone: "failed", to },
          }))}
        />
      }
      table={
        <PlotTable
          caption="Failed payouts by cause"
          heads={["Cause", "Failed", "Share"]}
          rows={plots.causes.map((one) => ({
            ...{ key: nameOf(one), head: <PageLink to={to}>{nameOf(one)}</PageLink> },
            cells: [countText(one.count), shareText(one.count, tiles.failed.count)],
          }))}
        />
      }
    />
  );
}

function WebhooksPlot({ overview }: PlotProps) {
  const { buckets, plots } = overview;
  const labels = labelsOf(buckets, useZone());
  const address = useListAddress();
  const open = useOpen();
  return (
    <Plot
      title="Webhook attempts"
      isEmpty={plots.webhooks.every(({ ok, retried, failed }) => ok + retried + failed === 0)}
      plot={
        <WebhooksChart
          {...{ overview, labels, countText }}
          spanText={durationText}
          onOpen={(place) => open("webhooks", buckets[place], { tab: "attempts" })}
        />
      }
      table={
        <PlotTable
          caption="Attempts to deliver events: heard at the first one, heard at a later one, not heard"
          heads={["Time", "Heard at once", "Heard later", "Not heard", "p95"]}
          rows={plots.webhooks.map(({ ok, retried, failed, p95_ms }, index) => ({
            key: String(buckets[index]?.from),
            head: (
              <PageLink to={address("webhooks", buckets[index], { tab: "attempts" })}>
                {labels[index]}
              </PageLink>
            ),
            cells: [countText(ok), countText(retried), countText(failed), span(p95_ms)],
          }))}
        />
      }
    />
  );
}

function KycPlot({ overview: { plots, buckets } }: PlotProps) {
  const { made, verified, waiting, refused, is_more, ages } = plots.kyc;
  const address = useListAddress();
  const [first, last] = [buckets[0], buckets.at(-1)];
  const whole = first && last && { from: first.from, to: last.to };
  const of = (kyc_status?: string) => address("receivers", whole, { kyc_status });
  const funnel = [
    { name: "Made", count: made, to: of() },
    { name: "Verified", count: verified, to: of("completed"), tone: "paid" as const },
    { name: "Waiting", count: waiting, to: of("pending"), tone: "pending" as const },
    { name: "Refused", count: refused, to: of("failed"), tone: "failed" as const },
  ];
  const waited = ages.map(({ age, count }) => ({ name: age, count }));
  return (
    <Plot
      title="Identity checks"
      isEmpty={made === 0 && ages.every(({ count }) => count === 0)}
      plot={
        <div className={styles.kyc}>
          <Bars
            label="Receivers made in this time, by how far they are"
            bars={funnel.map((bar) => ({ ...bar, isMore: is_more }))}
          />
          <div>
            <Text size="xs" c="dimmed" mb={6}>
              Waiting now, by how long
            </Text>
            <Bars
              label="Identity checks that wait, by how long"
              bars={waited.map((bar) => ({ ...bar, tone: "pending" as const }))}
            />
          </div>
        </div>
      }
      table={
        <PlotTable
          caption="Receivers made in this time by how far they are, and those who wait by how long"
          heads={["Identity check", "Receivers", "Share"]}
          rows={[
            ...funnel.map(({ name, count, to }) => ({
              ...{ key: name, head: <PageLink to={to}>{name}</PageLink> },
              cells: [countText(count, is_more), shareText(count, made)],
            })),
            ...waited.map(({ name, count }) => ({
              ...{ key: name, head: `Waiting ${name}`, cells: [countText(count), ""] },
            })),
          ]}
        />
      }
    />
  );
}
