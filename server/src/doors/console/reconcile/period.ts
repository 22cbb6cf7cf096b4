// The days to reconcile. Pure.

import { limits } from "../../../platform/limits/index.ts";
import { problem, Refusal } from "../../../platform/refusals/index.ts";
import { dayMs, type Period } from "../rollups/time-ranges.ts";

export type ReconciledPeriod = Period & { month: string | undefined };

type Asked = { month?: string; from?: string; to?: string };

/** Throws if the range is invalid. Default: the current month. */
export function readPeriod({ month, from, to }: Asked, nowMs: number): ReconciledPeriod {
  if (from === undefined && to === undefined) {
    return monthOf(month ?? new Date(nowMs).toISOString().slice(0, 7));
  }
  const [fromMs, toMs] = [Number(from), Number(to)];
  const isWhole = fromMs % dayMs === 0 && toMs % dayMs === 0;
  const days = (toMs - fromMs) / dayMs;
  if (month !== undefined || !isWhole || days < 1 || days > limits.reconcileDaysMax) {
    throw new Refusal([problem("CONS801", "from")]);
  }
  return { fromMs, toMs, month: undefined };
}

export function monthOf(month: string): ReconciledPeriod & { month: string } {
  const [year, number] = month.split("-").map(Number) as [number, number];
  return { fromMs: Date.UTC(year, number - 1), toMs: Date.UTC(year, number), month };
}

export function isOver({ toMs }: Period, nowMs: number): boolean {
  return toMs + limits.monthClosableMs <= nowMs;
}
