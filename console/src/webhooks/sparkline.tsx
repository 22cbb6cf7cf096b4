// The last 24 hours of deliveries, a bar for each: how many attempts, and how many of them were not heard.

import type { LastDay } from "@server/console/webhooks/schema.ts";
import { exactText } from "../state/time.ts";
import { useZone } from "../state/zone.ts";
import styles from "./webhooks.module.css";

const height = 44;
const step = 10;
const width = 7;

export function Sparkline({ day }: { day: LastDay }) {
  const zone = useZone();
  const hours = day.hours.map(({ from, ok, retried, failed }) => ({
    ...{ from, failed, attempts: ok + retried + failed },
  }));
  const most = Math.max(1, ...hours.map(({ attempts }) => attempts));
  return (
    <svg
      className={styles.sparkline}
      viewBox={`0 0 ${hours.length * step} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Attempts of the last 24 hours, by the hour: ${day.attempts}, of which ${day.attempts - day.delivered} failed`}
    >
      {hours.map(({ from, attempts, failed }, index) => {
        const whole = (attempts / most) * (height - 2);
        const bad = attempts === 0 ? 0 : (whole * failed) / attempts;
        return (
          <g key={from}>
            <title>{`${exactText(from, zone).slice(0, -7)}: ${attempts} attempts, ${failed} failed`}</title>
            <rect x={index * step} y={0} width={step} height={height} fill="transparent" />
            <rect
              className={styles.none}
              x={index * step}
              y={height - 1.5}
              width={width}
              height={1.5}
            />
            <rect
              className={styles.ok}
              x={index * step}
              y={height - whole}
              width={width}
              height={whole - bad}
            />
            {bad > 0 && (
              <rect
                className={styles.failed}
                x={index * step}
                y={height - Math.max(bad, 2)}
                width={width}
                height={Math.max(bad, 2)}
              />
            )}
          </g>
        );
      })}
    </svg>
  );
}
