// The charts of deliveries: by day and hour, and by response time. Both are also tables.

import { Group, SegmentedControl, Stack, Text } from "@mantine/core";
import type { Deliveries } from "@server/doors/console/webhooks/schema.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { useApiOf, useSubaccount } from "../api/me.ts";
import { useListAddress } from "../overview/buckets.ts";
import { durationText, shareText } from "../overview/figures.ts";
import { Chart } from "../parts/chart.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Plot } from "../parts/plot.tsx";
import { PlotTable } from "../parts/plot-table.tsx";
import { Problem } from "../parts/problem.tsx";
import { PageLoading } from "../shell/page-states.tsx";
import { useFilters } from "../state/filters.ts";
import { countText } from "../state/locale.ts";
import { timeZoneOf, useZone } from "../state/zone.ts";
import { deliveriesTexts } from "../texts/deliveries.ts";
import { type HeatShare, heatRows, sumOfHours } from "./heat.ts";
import { Heatmap, heatDayText, hourText } from "./heatmap.tsx";

const latencySaid = (p50: string, p95: string, p99: string) =>
  `Response times of delivery attempts. Half of them took at most ${p50}, 95% at most ${p95}, 99% at most ${p99}.`;

const percentilesText = (p50: string, p95: string, p99: string) =>
  `Median ${p50} · 95th percentile ${p95} · 99th percentile ${p99}`;

const dayChoices = ["7", "14", "30"];

export function ChartsTab() {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const zone = useZone();
  const [{ days = "14" }, setFilters] = useFilters();
  const timeZone = timeZoneOf(zone) ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const query = { days: dayChoices.includes(days) ? days : "14", time_zone: timeZone };
  const { data, error, refetch } = useQuery({
    queryKey: [id, "events", "deliveries", query],
    queryFn: ({ signal }) => get<Deliveries>(apiOf("/webhook/deliveries"), query, signal),
    placeholderData: keepPreviousData,
  });
  if (!data) {
    return error ? <Problem error={error} onRetry={() => void refetch()} /> : <PageLoading />;
  }
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label="Days shown"
        size="xs"
        data={dayChoices.map((value) => ({ value, label: `Last ${value} days` }))}
        value={query.days}
        onChange={(chosen) => setFilters({ days: chosen === "14" ? undefined : chosen })}
        style={{ alignSelf: "flex-start" }}
      />
      <HeatPlot deliveries={data} />
      <LatencyPlot deliveries={data} />
    </Stack>
  );
}

function HeatPlot({ deliveries }: { deliveries: Deliveries }) {
  const zone = useZone();
  const [{ share: chosen }, setFilters] = useFilters();
  const address = useListAddress();
  const share: HeatShare = chosen === "failed" ? "failed" : "first_try";
  const rows = heatRows(deliveries, timeZoneOf(zone)).flatMap(({ from, to, cells }) =>
    cells.flatMap((cell, hour) => {
      if (!cell) return [];
      const name = `${heatDayText(from, zone)}, ${hourText(hour)}`;
      return [{ name, to: address("webhooks", { from, to }, { tab: "attempts" }), ...cell }];
    }),
  );
  const { ok, failed, attempts } = sumOfHours(deliveries.hours);
  const worst = rows.toSorted((a, b) => b.failed / b.attempts - a.failed / a.attempts)[0];
  return (
    <Plot
      title={deliveriesTexts.heatmap}
      isEmpty={attempts === 0}
      label={`Delivery attempts of the last ${deliveries.days.length} days by day and hour: ${countText(attempts)} attempts, ${shareText(ok, attempts)} delivered at the first try, ${shareText(failed, attempts)} failed. ${
        worst && worst.failed > 0
          ? `The hour with the largest share of failed attempts is ${worst.name}: ${shareText(worst.failed, worst.attempts)}.`
          : ""
      }`}
      actions={
        <SegmentedControl
          aria-label="Share shown"
          size="xs"
          data={[
            { value: "first_try", label: deliveriesTexts.firstTry },
            { value: "failed", label: deliveriesTexts.failed },
          ]}
          value={share}
          onChange={(value) => setFilters({ share: value === "failed" ? value : undefined })}
        />
      }
      plot={
        <>
          <Heatmap deliveries={deliveries} share={share} />
          <Text size="xs" c="dimmed" mt={8}>
            A click on an hour opens the attempts of its day.
          </Text>
        </>
      }
      table={
        <PlotTable
          caption={deliveriesTexts.heatmap}
          heads={[
            "Day and hour",
            deliveriesTexts.attempts,
            deliveriesTexts.firstTry,
            "Delivered after retry",
            deliveriesTexts.failed,
          ]}
          rows={rows.reverse().map((row) => ({
            key: row.name,
            head: <PageLink to={row.to}>{row.name}</PageLink>,
            cells: [
              countText(row.attempts),
              shareText(row.ok, row.attempts),
              shareText(row.retried, row.attempts),
              shareText(row.failed, row.attempts),
            ],
          }))}
        />
      }
    />
  );
}

type LatencyBar = Deliveries["latency"]["bars"][number];

function rangeText({ from_ms, to_ms }: LatencyBar): string {
  if (to_ms === null) return `${durationText(from_ms)} or more`;
  if (from_ms === 0) return `under ${durationText(to_ms)}`;
  return `${durationText(from_ms)} to ${durationText(to_ms)}`;
}

function LatencyPlot({ deliveries: { latency } }: { deliveries: Deliveries }) {
  const total = latency.bars.reduce((sum, { count }) => sum + count, 0);
  const percentiles = [latency.p50_ms, latency.p95_ms, latency.p99_ms].map((ms) =>
    durationText(ms ?? 0),
  ) as [string, string, string];
  const bars = latency.bars.map((bar) => ({ range: rangeText(bar), count: bar.count }));
  return (
    <Plot
      title={deliveriesTexts.latency}
      isEmpty={total === 0}
      label={latencySaid(...percentiles)}
      above={
        total > 0 && (
          <Group mb="sm">
            <Text size="sm">{percentilesText(...percentiles)}</Text>
          </Group>
        )
      }
      plot={
        <Chart
          labels={bars.map(({ range }) => range)}
          height={230}
          series={[
            {
              ...{ name: "count", label: deliveriesTexts.attempts, color: "var(--plot-measure)" },
              values: bars.map(({ count }) => count),
            },
          ]}
          axis={{ text: countText }}
          valueText={countText}
          withLegend={false}
        />
      }
      table={
        <PlotTable
          caption={deliveriesTexts.latency}
          heads={["Response time", deliveriesTexts.attempts, "Share"]}
          rows={bars.map(({ range, count }) => ({
            key: range,
            head: range,
            cells: [countText(count), shareText(count, total)],
          }))}
        />
      }
    />
  );
}
