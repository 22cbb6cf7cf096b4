// The retry schedule of an event as a picture, from the first seconds to the last day.

import type { RetrySchedule } from "@server/doors/console/webhooks/schema.ts";
import { spanText } from "../state/time.ts";
import styles from "./settings.module.css";

const width = 640;
const height = 74;
const left = 18;
const right = 18;
const line = 30;

const secondMs = 1000;
const dayMs = 24 * 3_600_000;
/** The labels below the line. */
const marks = [
  { ms: 5 * secondMs, label: "5 s" },
  { ms: 60 * secondMs, label: "1 min" },
  { ms: 600 * secondMs, label: "10 min" },
  { ms: 3_600 * secondMs, label: "1 h" },
  { ms: 6 * 3_600 * secondMs, label: "6 h" },
  { ms: dayMs, label: "1 d" },
  { ms: 7 * dayMs, label: "7 d" },
  { ms: 30 * dayMs, label: "30 d" },
];

/** A logarithmic scale, so that seconds and days fit in one picture. */
function placeOf(ms: number): number {
  const first = Math.log(2 * secondMs);
  const last = Math.log(30 * dayMs);
  const part = (Math.log(Math.max(ms, 2 * secondMs)) - first) / (last - first);
  return left + part * (width - left - right);
}

export function RetryPicture({ retries: { steps, tried_for_ms } }: { retries: RetrySchedule }) {
  // From some point on the pause stays the same: drawn as a line, not as points.
  const lastPauseMs = steps.at(-1)?.after_ms ?? 0;
  const points = steps.slice(0, 1 + steps.findIndex(({ after_ms }) => after_ms === lastPauseMs));
  const stretch = placeOf(points.at(-1)?.since_first_ms ?? 0);
  const end = placeOf(steps.at(-1)?.since_first_ms ?? 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <figure className={styles.picture} tabIndex={0}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`An event is sent immediately and retried up to ${steps.length} times within ${spanText(tried_for_ms)}`}
      >
        <line className={styles.line} x1={left} x2={width - right} y1={line} y2={line} />
        {marks.map(({ ms, label }) => (
          <g key={label}>
            <line
              className={styles.line}
              x1={placeOf(ms)}
              x2={placeOf(ms)}
              y1={line + 8}
              y2={line + 14}
            />
            <text className={styles.mark} x={placeOf(ms)} y={line + 29} textAnchor="middle">
              {label}
            </text>
          </g>
        ))}
        <circle className={styles.first} cx={left} cy={line} r={6} />
        <text className={styles.mark} x={left - 6} y={14}>
          first attempt
        </text>
        <line className={styles.stretch} x1={stretch} x2={end} y1={line} y2={line} />
        <text className={styles.mark} x={(stretch + end) / 2} y={14} textAnchor="middle">
          {`every ${spanText(lastPauseMs)}`}
        </text>
        {points.map(({ since_first_ms: ms }) => (
          <circle key={ms} className={styles.again} cx={placeOf(ms)} cy={line} r={4.5}>
            <title>{`after ${spanText(ms)}`}</title>
          </circle>
        ))}
      </svg>
    </figure>
  );
}
