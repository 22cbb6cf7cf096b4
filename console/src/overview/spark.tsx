// A row of tiny bars: which way something goes, without an axis. Drawn by hand, so that tiles need no chart library.

import styles from "./overview.module.css";

const height = 22;
const step = 6;
const width = 4;
/** More would be too fine to see: neighbours are added up. */
const barsMax = 30;

export function Spark({
  values,
  label,
  tone = "paid",
}: {
  values: readonly number[];
  label: string;
  tone?: "paid" | "failed";
}) {
  const bars = gathered(values);
  const most = Math.max(1, ...bars);
  return (
    <svg
      className={styles.spark}
      data-tone={tone}
      viewBox={`0 0 ${bars.length * step} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {bars.map((value, index) => {
        const tall = value === 0 ? 1 : Math.max(2, (value / most) * height);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
            key={index}
            data-empty={value === 0 || undefined}
            {...{ x: index * step, y: height - tall, width, height: tall }}
          />
        );
      })}
    </svg>
  );
}

function gathered(values: readonly number[]): number[] {
  const each = Math.ceil(values.length / barsMax);
  if (each <= 1) return [...values];
  // From the end, so that the last bar is a whole one.
  const bars: number[] = [];
  for (let end = values.length; end > 0; end -= each) {
    const some = values.slice(Math.max(0, end - each), end);
    bars.unshift(some.reduce((sum, value) => sum + value, 0));
  }
  return bars;
}
