// Where the parts of a chart are: ticks, stacked bars, lines, and the place under the pointer.

/** Round numbers, `about` of them, from 0 to the first one that is not below the largest value. */
export function ticksTo(largest: number, about: number): number[] {
  const rough = Math.max(largest, 1) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const round = [1, 2, 2.5, 5, 10].find((of) => of * power >= rough) ?? 10;
  // Counts and minor units: never half of one.
  const step = Math.ceil(round * power);
  const count = Math.max(1, Math.ceil(largest / step));
  return Array.from({ length: count + 1 }, (_, place) => place * step);
}

type Span = { from: number; to: number };

/** For each place, each series on top of the one before it. */
export function stackOf(series: readonly (readonly (number | null)[])[]): Span[][] {
  const places = series[0]?.length ?? 0;
  return Array.from({ length: places }, (_, place) => {
    let sum = 0;
    return series.map((values) => {
      const from = sum;
      sum += values[place] ?? 0;
      return { from, to: sum };
    });
  });
}

/** The path of a line, with a gap where there is no value. */
export function linePath(
  values: readonly (number | null)[],
  x: (place: number) => number,
  y: (value: number) => number,
): string {
  return values
    .map((value, place) => {
      if (value === null) return "";
      const before = place === 0 ? null : values[place - 1];
      return `${before === null || before === undefined ? "M" : "L"}${x(place)} ${y(value)}`;
    })
    .join("");
}

export function bucketAt(x: number, step: number, count: number): number | undefined {
  const place = Math.floor(x / step);
  return place >= 0 && place < count ? place : undefined;
}

const [characterWidth, gap] = [6.5, 18];

/** Each label takes its room: 1 shows all of them, 2 every second one. */
export function labelStep(labels: readonly string[], step: number): number {
  const longest = Math.max(1, ...labels.map(({ length }) => length));
  return Math.max(1, Math.ceil((longest * characterWidth + gap) / Math.max(step, 1)));
}
