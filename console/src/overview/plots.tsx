// The six plots, each also as a table.

import { Text } from "@mantine/core";
import type { ComponentProps } from "react";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Plot } from "../parts/plot.tsx";
import { PlotTable } from "../parts/plot-table.tsx";
import { countText } from "../state/locale.ts";
import { spanText } from "../state/time.ts";
import { useZone } from "../state/zone.ts";
import { overviewTexts } from "../texts/overview.ts";
import { Bars } from "./bars.tsx";
import { labelsOf, useListAddress, useOpen } from "./buckets.ts";
import { PayoutsChart, SettlingChart, VolumeChart, WebhooksChart } from "./charts.tsx";
import { shareText, volumeChartsMax } from "./figures.ts";
import styles from "./overview.module.css";
import type { Overview } from "./overview.ts";

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
          overview={overview}
          labels={labels}
          onOpen={(place, status) => open("payouts", buckets[place], { status, currency })}
        />
      }
      table={
        <PlotTable
          caption="Payouts by creation time and status"
          heads={[
            overviewTexts.created,
            overviewTexts.successful,
            overviewTexts.pending,
            overviewTexts.failed,
          ]}
          rows={plots.payouts.map(({ successful, pending, failed }, index) => ({
            key: String(buckets[index]?.from),
            head: labels[index],
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

function VolumeCharts(props: ComponentProps<typeof VolumeChart>) {
  const more = props.overview.plots.volume.length - volumeChartsMax;
  return (
    <>
      <VolumeChart {...props} />
      {more > 0 && (
        <Text size="xs" c="dimmed">
          {more === 1 ? "1 more currency in the table" : `${more} more currencies in the table`}
        </Text>
      )}
    </>
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
        <VolumeCharts
          overview={overview}
          labels={labels}
          onOpen={(place, currency) =>
            open("payouts", buckets[place], { status: "successful", currency })
          }
        />
      }
      table={
        <PlotTable
          caption="Successful payouts by creation time and currency"
          heads={[overviewTexts.created, ...plots.volume.map(({ currency }) => currency)]}
          rows={buckets.map((bucket, index) => ({
            key: String(bucket.from),
            head: labels[index],
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
          overview={overview}
          labels={labels}
          onOpen={(place) => open("payouts", buckets[place], { status: "successful", currency })}
        />
      }
      table={
        <PlotTable
          caption="Time from creation to settlement, by creation time"
          heads={[overviewTexts.created, "Paid", overviewTexts.median, "95th percentile"]}
          rows={plots.settling.map(({ count, p50_ms, p95_ms }, index) => ({
            key: String(buckets[index]?.from),
            head: labels[index],
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
  const toOf = ({ cause }: Overview["plots"]["causes"][number]) =>
    address("payouts", whole, { status: "failed", currency, cause });
  const nameOf = ({ cause, code }: Overview["plots"]["causes"][number]) =>
    code === "" ? cause : `${cause} (${code})`;
  return (
    <Plot
      title="Failure causes"
      isEmpty={plots.causes.length === 0}
      plot={
        <Bars
          label={overviewTexts.failedPayoutsByCause}
          bars={plots.causes.map((one) => ({
            name: nameOf(one),
            count: one.count,
            tone: "failed",
            to: toOf(one),
          }))}
        />
      }
      table={
        <PlotTable
          caption={overviewTexts.failedPayoutsByCause}
          heads={["Cause", overviewTexts.failed, overviewTexts.share]}
          rows={plots.causes.map((one) => ({
            key: nameOf(one),
            head: <PageLink to={toOf(one)}>{nameOf(one)}</PageLink>,
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
          overview={overview}
          labels={labels}
          onOpen={(place) => open("webhooks", buckets[place], { tab: "attempts" })}
        />
      }
      table={
        <PlotTable
          caption="Delivery attempts by outcome"
          heads={[
            "Time",
            overviewTexts.deliveredFirstTry,
            overviewTexts.deliveredAfterRetry,
            overviewTexts.failed,
            "95th percentile",
          ]}
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
    { name: overviewTexts.created, count: made, to: of() },
    { name: "Verified", count: verified, to: of("completed"), tone: "paid" as const },
    { name: overviewTexts.pending, count: waiting, to: of("pending"), tone: "pending" as const },
    { name: "Rejected", count: refused, to: of("failed"), tone: "failed" as const },
  ];
  const waited = ages.map(({ age, count }) => ({ name: age, count }));
  return (
    <Plot
      title="Identity checks"
      isEmpty={made === 0 && ages.every(({ count }) => count === 0)}
      plot={
        <div className={styles.kyc}>
          <Bars
            label="Receivers created in this period, by identity check"
            bars={funnel.map((bar) => ({ ...bar, isMore: is_more }))}
          />
          <div>
            <Text size="xs" c="dimmed" mb={6}>
              Pending by age
            </Text>
            <Bars
              label="Pending identity checks by age"
              bars={waited.map((bar) => ({ ...bar, tone: "pending" as const }))}
            />
          </div>
        </div>
      }
      table={
        <PlotTable
          caption="Receivers created in this period by identity check, and pending checks by age"
          heads={["Identity check", "Receivers", overviewTexts.share]}
          rows={[
            ...funnel.map(({ name, count, to }) => ({
              key: name,
              head: <PageLink to={to}>{name}</PageLink>,
              cells: [countText(count, is_more), shareText(count, made)],
            })),
            ...waited.map(({ name, count }) => ({
              key: name,
              head: `Pending ${name}`,
              cells: [countText(count), ""],
            })),
          ]}
        />
      }
    />
  );
}
