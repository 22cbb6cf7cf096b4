// Figures as people read them.

import { decimalsOf } from "../state/money.ts";

const counts = new Intl.NumberFormat("en-GB");
const compact = new Intl.NumberFormat("en-GB", { notation: "compact", maximumFractionDigits: 1 });

export function countText(count: number, isMore = false): string {
  return `${counts.format(count)}${isMore ? "+" : ""}`;
}

/** For an axis: 4,231,000 minor units of AUD are "42K". */
export function compactText(amount: number, currency: string): string {
  return compact.format(amount / 10 ** decimalsOf(currency));
}

/** One decimal below ten per cent, where it matters. Never "100 %" when something is missing. */
export function shareText(part: number, whole: number): string {
  if (whole === 0) return "–";
  const percent = (part / whole) * 100;
  const rounded = percent < 10 || percent > 99 ? percent.toFixed(1) : percent.toFixed(0);
  const honest = part < whole && Number(rounded) === 100 ? "99.9" : rounded;
  return `${honest.replace(/\.0$/, "")} %`;
}

/** Against what it was: "+8 % on", or from tenfold "82 times". Undefined where there is nothing to compare with. */
export function changeText(now: number, before: number): string | undefined {
  if (before === 0) return undefined;
  if (now >= before * 10) return `${counts.format(Math.round(now / before))} times`;
  const percent = Math.round(((now - before) / before) * 100);
  return `${percent < 0 ? "−" : "+"}${counts.format(Math.abs(percent))} % on`;
}

const steps = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
] as const;

/** For an axis, where neighbours must differ: "1.5 h". */
export function durationText(ms: number): string {
  const [unitMs, unit] = steps.find(([from]) => ms >= from) ?? [1, "ms"];
  const many = ms / unitMs;
  return `${many < 10 ? compact.format(many) : Math.round(many)} ${unit}`;
}
