// The deliveries of the last days, one cell for each hour. The darker, the more went wrong.

import type { Deliveries } from "@server/doors/console/webhooks/schema.ts";
import { useOpen } from "../overview/buckets.ts";
import { shareText } from "../overview/figures.ts";
import { countText, dateFormat } from "../state/locale.ts";
import { timeZoneOf, useZone, type Zone } from "../state/zone.ts";
import {
  type HeatCell,
  type HeatRow,
  type HeatShare,
  heatBounds,
  heatLevel,
  heatRows,
} from "./heat.ts";
import styles from "./heatmap.module.css";

const bounds = {
  failed: {
    first: (percent: string) => `up to ${percent}`,
    next: (percent: string) => `to ${percent}`,
    last: (percent: string) => `over ${percent}`,
  },
  first_try: {
    first: (percent: string) => `from ${percent}`,
    next: (percent: string) => `from ${percent}`,
    last: (percent: string) => `under ${percent}`,
  },
} as const;

export function Heatmap({ deliveries, share }: { deliveries: Deliveries; share: HeatShare }) {
  const zone = useZone();
  const rows = heatRows(deliveries, timeZoneOf(zone));
  return (
    <div aria-hidden className={styles.heatmap}>
      <div className={styles.grid}>
        <span />
        {Array.from({ length: 24 }, (_, hour) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its place
          <span key={hour} className={styles.hour}>
            {hour % 3 === 0 ? hour : ""}
          </span>
        ))}
        {rows.map((row) => (
          <Row key={row.from} row={row} share={share} zone={zone} />
        ))}
      </div>
      <Legend share={share} />
    </div>
  );
}

function Row({ row, share, zone }: { row: HeatRow; share: HeatShare; zone: Zone }) {
  const open = useOpen();
  const { from, to, cells } = row;
  return (
    <>
      <span className={styles.day}>{heatDayText(from, zone)}</span>
      {cells.map((cell, hour) =>
        cell ? (
          // biome-ignore lint/a11y/noStaticElementInteractions: for the mouse; the table has links
          // biome-ignore lint/a11y/useKeyWithClickEvents: for the mouse; the table has links
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its place
            key={hour}
            className={styles.cell}
            data-level={heatLevel(cell, share)}
            title={titleOf(cell, `${heatDayText(from, zone)}, ${hourText(hour)}`)}
            onClick={() => open("webhooks", { from, to }, { tab: "attempts" })}
          />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its place
          <span key={hour} className={styles.cell} />
        ),
      )}
    </>
  );
}

function titleOf({ ok, failed, attempts }: HeatCell, hour: string): string {
  return `${hour}: ${countText(attempts)} attempts, ${shareText(ok, attempts)} first try, ${shareText(failed, attempts)} failed`;
}

export function hourText(hour: number): string {
  return `${String(hour).padStart(2, "0")}:00`;
}

export function heatDayText(ms: number, zone: Zone): string {
  const timeZone = timeZoneOf(zone);
  return dateFormat({
    weekday: "short",
    day: "numeric",
    month: "short",
    ...(timeZone && { timeZone }),
  })
    .format(ms)
    .replace(",", "");
}

/** Shares of failed attempts, or of attempts that delivered at once. */
function Legend({ share }: { share: HeatShare }) {
  const percent = (part: number) => `${Math.round((share === "failed" ? part : 1 - part) * 100)}%`;
  const labels = heatBounds.map((bound, place) => {
    const next = heatBounds[place + 1];
    const texts = bounds[share];
    if (place === 0) return texts.first(percent(next ?? 0));
    return next === undefined ? texts.last(percent(bound)) : texts.next(percent(next));
  });
  return (
    <ul className={styles.legend}>
      <li>
        <span className={styles.cell} /> No attempts
      </li>
      {[percent(0), ...labels].map((label, level) => (
        <li key={label}>
          <span className={styles.cell} data-level={level} /> {label}
        </li>
      ))}
    </ul>
  );
}
