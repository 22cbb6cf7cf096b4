// A row of small bars without axes: the trend of a figure. Drawn as SVG, so that it needs no chart library.

import styles from "./sparkline.module.css";

const step = 10;
const width = 7;
/** More bars would be too thin to see: neighbours are added up. */
const barsMax = 30;

type SparkBar = {
  value: number;
  /** The part of the value that failed. */
  failed?: number;
  title?: string;
};

export function Sparkline({
  bars: all,
  label,
  tone,
  height = 22,
}: {
  bars: readonly SparkBar[];
  label: string;
  tone: "paid" | "measure" | "failed";
  height?: number;
}) {
  const bars = gathered(all);
  const most = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <svg
      className={styles.sparkline}
      style={{ height }}
      data-tone={tone}
      viewBox={`0 0 ${bars.length * step} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {bars.map((bar, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
        <Bar key={index} bar={bar} x={index * step} unit={height / most} height={height} />
      ))}
    </svg>
  );
}

function Bar({
  bar: { value, failed = 0, title },
  x,
  unit,
  height,
}: {
  bar: SparkBar;
  x: number;
  /** The height of one. */
  unit: number;
  height: number;
}) {
  const tall = value === 0 ? 1 : Math.max(2, value * unit);
  const failedTall = failed === 0 ? 0 : Math.max(2, failed * unit);
  return (
    <g>
      {title && <title>{title}</title>}
      {title && <rect x={x} y={0} width={step} height={height} fill="transparent" />}
      <rect
        className={value === 0 ? styles.empty : styles.bar}
        x={x}
        y={height - tall}
        width={width}
        height={tall}
      />
      {failedTall > 0 && (
        <rect
          className={styles.failed}
          x={x}
          y={height - failedTall}
          width={width}
          height={failedTall}
        />
      )}
    </g>
  );
}

function gathered(bars: readonly SparkBar[]): readonly SparkBar[] {
  const each = Math.ceil(bars.length / barsMax);
  if (each <= 1) return bars;
  // From the end, so that the last bar is a whole one.
  const sums: SparkBar[] = [];
  for (let end = bars.length; end > 0; end -= each) {
    const some = bars.slice(Math.max(0, end - each), end);
    sums.unshift({
      value: some.reduce((sum, { value }) => sum + value, 0),
      failed: some.reduce((sum, { failed = 0 }) => sum + failed, 0),
    });
  }
  return sums;
}
