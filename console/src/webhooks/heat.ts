// The cells of the delivery heatmap: hours of a day side by side, days below each other. Pure.

import type { Deliveries } from "@server/doors/console/webhooks/schema.ts";

type Hour = Deliveries["hours"][number];
export type HeatCell = Omit<Hour, "from"> & { attempts: number };
export type HeatRow = { from: number; to: number; cells: (HeatCell | undefined)[] };

const hoursOfDay = 24;

/** When the clocks go back, an hour comes twice and its cell has both. */
export function heatRows(
  { days, hours }: Pick<Deliveries, "days" | "hours">,
  timeZone: string | undefined,
): HeatRow[] {
  const clock = new Intl.DateTimeFormat("en-GB", {
    hour: "numeric",
    hourCycle: "h23",
    ...(timeZone && { timeZone }),
  });
  return days.map(({ from, to }) => {
    const cells = new Array<HeatCell | undefined>(hoursOfDay).fill(undefined);
    for (const hour of hours) {
      if (hour.from < from || hour.from >= to) continue;
      const place = Number(clock.format(hour.from));
      const { ok, retried, failed, attempts } = cells[place] ?? noAttempts;
      cells[place] = {
        ok: ok + hour.ok,
        retried: retried + hour.retried,
        failed: failed + hour.failed,
        attempts: attempts + hour.ok + hour.retried + hour.failed,
      };
    }
    return { from, to, cells };
  });
}

const noAttempts: HeatCell = { ok: 0, retried: 0, failed: 0, attempts: 0 };

export function sumOfHours(hours: readonly Hour[]): HeatCell {
  return hours.reduce(
    (sum, { ok, retried, failed }) => ({
      ok: sum.ok + ok,
      retried: sum.retried + retried,
      failed: sum.failed + failed,
      attempts: sum.attempts + ok + retried + failed,
    }),
    noAttempts,
  );
}

export type HeatShare = "first_try" | "failed";

/** From which share of bad attempts on each colour begins. The first one is for none. */
export const heatBounds = [0, 0.01, 0.05, 0.2, 0.5] as const;

/** 0: all is well. 5: more than half is not. */
export function heatLevel({ ok, failed, attempts }: HeatCell, share: HeatShare): number {
  const bad = share === "failed" ? failed : attempts - ok;
  const part = bad / attempts;
  if (bad === 0) return 0;
  return 1 + heatBounds.slice(1).filter((bound) => part > bound).length;
}
