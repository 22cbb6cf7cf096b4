// Shares, axes and durations as text.

import { countText, percentText, userLocale } from "../state/locale.ts";
import { decimalsOf } from "../state/money.ts";

const compact = new Intl.NumberFormat(userLocale, {
  notation: "compact",
  maximumFractionDigits: 1,
});

/** For an axis: 4,231,000 minor units of AUD are "42K". */
export function compactText(amount: number, currency: string): string {
  return compact.format(amount / 10 ** decimalsOf(currency));
}

/** One decimal below ten per cent, where it matters. Never "100%" when something is missing. */
export function shareText(part: number, whole: number): string {
  if (whole === 0) return "–";
  const percent = (part / whole) * 100;
  const rounded = percent < 10 || percent > 99 ? percent.toFixed(1) : percent.toFixed(0);
  const honest = part < whole && Number(rounded) === 100 ? 99.9 : Number(rounded);
  return percentText(honest / 100);
}

/** "+8%", or from tenfold on "82 times". Undefined where there is nothing to compare with. */
export function changeText(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  if (now >= before * 10) return `${countText(Math.round(now / before))} times`;
  const percent = Math.round(((now - before) / before) * 100);
  return `${percent < 0 ? "−" : "+"}${percentText(Math.abs(percent) / 100)}`;
}

const steps = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
] as const;

/** For an axis: "15 min", "1.5 h". */
export function durationText(ms: number): string {
  if (ms === 0) return "0";
  const [unitMs, unit] = steps.find(([from]) => ms >= from) ?? [1, "ms"];
  const many = ms / unitMs;
  return `${many < 10 ? compact.format(many) : Math.round(many)} ${unit}`;
}

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const tickSteps = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * secondMs),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minuteMs),
  ...[1, 2, 3, 6, 12].map((count) => count * hourMs),
  ...[1, 2, 5, 10, 20, 50].map((count) => count * dayMs),
];
const ticksMax = 5;

/** Round durations, from 0 to the first one that is not below the largest value. */
export function durationTicks(maxMs: number): number[] {
  const step = tickSteps.find((ms) => maxMs <= ms * (ticksMax - 1)) ?? maxMs / (ticksMax - 1);
  const count = Math.max(1, Math.ceil(maxMs / step));
  return Array.from({ length: count + 1 }, (_, place) => place * step);
}

/** Currencies with a chart of their volume. The table has the others. */
export const volumeChartsMax = 3;
