// Bars and lines over labels, mostly times. Our own: a chart library was a quarter of all files that a first start installs.
// Each plot is also a table, so the picture is for the eye and the pointer alone.

import { useElementSize } from "@mantine/hooks";
import { type MouseEvent, type ReactNode, useState } from "react";
import styles from "./chart.module.css";
import { bucketAt, labelStep, linePath, stackOf, ticksTo } from "./chart-shapes.ts";

type Series = {
  name: string;
  label: string;
  color: string;
  /** One for each label. Null: a gap. */
  values: readonly (number | null)[];
  /** Otherwise bars, stacked on those of the other series. */
  isLine?: boolean;
  dash?: string;
};

type Axis = {
  text: (value: number) => string;
  width?: number;
  /** Absent: round numbers up to the largest value. */
  ticks?: readonly number[];
};

const margin = { top: 6, bottom: 24, right: 8 };
const barWidthMax = 36;

export function Chart({
  labels,
  series,
  height,
  axis,
  lineAxis,
  valueText,
  withLegend = true,
  onOpen,
}: {
  labels: readonly string[];
  series: readonly Series[];
  height: number;
  axis: Axis;
  /** The lines have this axis, on the right; otherwise that of the bars. */
  lineAxis?: Axis;
  valueText: (value: number) => string;
  withLegend?: boolean;
  /** A click on a label's place, and on the bar of a series where it hits one. */
  onOpen?: (place: number, series?: string) => void;
}) {
  const { ref, width } = useElementSize();
  const [place, setPlace] = useState<number>();
  const bars = series.filter(({ isLine }) => !isLine);
  const lines = series.filter(({ isLine }) => isLine);
  const stack = stackOf(bars.map(({ values }) => values));
  const largestLine = Math.max(0, ...lines.flatMap(({ values }) => values.map(Number)));
  const largestBar = Math.max(0, ...stack.flat().map(({ to }) => to));
  const largest = lineAxis ? largestBar : Math.max(largestBar, largestLine);
  const ticks = axis.ticks ?? ticksTo(largest, height > 120 ? 4 : 2);
  const left = axis.width ?? 44;
  const right = lineAxis ? (lineAxis.width ?? 56) : margin.right;
  const inner = { width: Math.max(0, width - left - right), height: height - margin.bottom };
  const step = inner.width / labels.length;
  const scale = (marks: readonly number[]) => (value: number) =>
    inner.height - (value / (marks.at(-1) || 1)) * (inner.height - margin.top);
  const y = scale(ticks);
  const lineTicks = lineAxis?.ticks ?? ticks;
  const lineY = scale(lineTicks);
  const middle = (of: number) => left + (of + 0.5) * step;
  const barWidth = Math.min(barWidthMax, step * 0.75);
  const placeOf = ({ clientX, currentTarget }: MouseEvent<SVGElement>) =>
    bucketAt(clientX - currentTarget.getBoundingClientRect().left - left, step, labels.length);
  const open = (event: MouseEvent<SVGElement>) => {
    const clicked = placeOf(event);
    const name = (event.target as SVGElement).dataset.series;
    if (clicked !== undefined) onOpen?.(clicked, name);
  };
  const shownEvery = labelStep(labels, step);
  return (
    <div ref={ref} className={styles.chart} style={{ minHeight: height }}>
      {width > 0 && (
        <svg
          aria-hidden="true"
          width={width}
          height={height}
          data-opens={onOpen !== undefined}
          onMouseMove={(event) => setPlace(placeOf(event))}
          onMouseLeave={() => setPlace(undefined)}
          onClick={open}
        >
          {ticks.map((tick) => (
            <g key={tick}>
              <line x1={left} x2={width - right} y1={y(tick)} y2={y(tick)} />
              <text x={left - 8} y={y(tick)} dy="0.32em" textAnchor="end">
                {axis.text(tick)}
              </text>
            </g>
          ))}
          {lineAxis &&
            lineTicks.map((tick) => (
              <text key={tick} x={width - right + 8} y={lineY(tick)} dy="0.32em">
                {lineAxis.text(tick)}
              </text>
            ))}
          {place !== undefined && (
            <rect
              className={styles.pointed}
              x={left + place * step}
              y={margin.top}
              width={step}
              height={inner.height - margin.top}
            />
          )}
          {labels.map((label, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a label may come twice, and its place does not change.
            <g key={at}>
              {at % shownEvery === 0 && (
                <text x={middle(at)} y={height - 6} textAnchor="middle">
                  {label}
                </text>
              )}
              {stack[at]?.map(({ from, to }, of) =>
                to > from ? (
                  <rect
                    key={bars[of]?.name}
                    data-series={bars[of]?.name}
                    x={middle(at) - barWidth / 2}
                    y={y(to)}
                    width={barWidth}
                    height={y(from) - y(to)}
                    style={{ fill: bars[of]?.color }}
                  />
                ) : null,
              )}
            </g>
          ))}
          {lines.map(({ name, color, dash, values }) => (
            <g key={name} className={styles.line} style={{ stroke: color, fill: color }}>
              <path d={linePath(values, middle, lineY)} strokeDasharray={dash} fill="none" />
              {values.map((value, at) =>
                value === null ? null : (
                  // biome-ignore lint/suspicious/noArrayIndexKey: as above.
                  <circle key={at} cx={middle(at)} cy={lineY(value)} r={place === at ? 4 : 2.5} />
                ),
              )}
            </g>
          ))}
        </svg>
      )}
      {place !== undefined && (
        <div
          className={styles.values}
          style={
            place < labels.length / 2
              ? { left: middle(place) + 14 }
              : { right: width - middle(place) + 14 }
          }
          aria-hidden="true"
        >
          <strong>{labels[place]}</strong>
          {series.map(({ name, label, color, isLine, values }) => {
            const value = values[place];
            const text = isLine && lineAxis ? lineAxis.text : valueText;
            return (
              <Named key={name} color={color} label={label}>
                {value === null || value === undefined ? "–" : text(value)}
              </Named>
            );
          })}
        </div>
      )}
      {withLegend && (
        <div className={styles.legend}>
          {series.map(({ name, label, color }) => (
            <Named key={name} color={color} label={label} />
          ))}
        </div>
      )}
    </div>
  );
}

function Named({ color, label, children }: { color: string; label: string; children?: ReactNode }) {
  return (
    <span className={styles.named}>
      <i style={{ background: color }} />
      {label}
      {children !== undefined && <b>{children}</b>}
    </span>
  );
}
