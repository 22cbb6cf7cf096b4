// The charts of deliveries: by day and hour, and by response time. Both are also tables.

import { Group, SegmentedControl, Stack, Text } from "@mantine/core";
import type { Deliveries } from "@server/console/webhooks/schema.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { lazy } from "react";
import { get } from "../api/call.ts";
import { useApiOf, useSubaccount } from "../api/me.ts";
import { useListAddress } from "../overview/buckets.ts";
import { durationText, shareText } from "../overview/figures.ts";
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
import styles from "./webhooks.module.css";

const LatencyChart = lazy(async () => ({
  default: (await import("./latency-chart.tsx")).LatencyChart,
}));

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
    <Stack gap="md" className={styles.plots}>
      <SegmentedControl
        aria-label={deliveriesTexts.shown}
        size="xs"
        data={dayChoices.map((value) => ({ value, label: deliveriesTexts.lastDays(value) }))}
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
      label={deliveriesTexts.heatmapSaid(
        deliveries.days.length,
        countText(attempts),
        shareText(ok, attempts),
        shareText(failed, attempts),
        worst && worst.failed > 0
          ? deliveriesTexts.worstHour(worst.name, shareText(worst.failed, worst.attempts))
          : "",
      )}
      actions={
        <SegmentedControl
          aria-label={deliveriesTexts.share}
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
            {deliveriesTexts.opensAttempts}
          </Text>
        </>
      }
      table={
        <PlotTable
          caption={deliveriesTexts.heatmap}
          heads={[
            deliveriesTexts.dayAndHour,
            deliveriesTexts.attempts,
            deliveriesTexts.firstTry,
            deliveriesTexts.afterRetry,
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
  if (to_ms === null) return deliveriesTexts.from(durationText(from_ms));
  if (from_ms === 0) return deliveriesTexts.under(durationText(to_ms));
  return deliveriesTexts.between(durationText(from_ms), durationText(to_ms));
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
      label={deliveriesTexts.latencySaid(...percentiles)}
      above={
        total > 0 && (
          <Group mb="sm">
            <Text size="sm">{deliveriesTexts.percentiles(...percentiles)}</Text>
          </Group>
        )
      }
      plot={<LatencyChart bars={bars} label={deliveriesTexts.attempts} countText={countText} />}
      table={
        <PlotTable
          caption={deliveriesTexts.latency}
          heads={[
            deliveriesTexts.responseTime,
            deliveriesTexts.attempts,
            deliveriesTexts.shareOfAttempts,
          ]}
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
