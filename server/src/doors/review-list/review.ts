// How urgent a review is. Pure.

import { limits } from "../../platform/limits/index.ts";

export const urgencies = ["fresh", "soon", "late"] as const;

export function urgencyOf(sinceMs: number, nowMs: number): (typeof urgencies)[number] {
  const waitedMs = nowMs - sinceMs;
  if (waitedMs >= limits.reviewLateMs) return "late";
  return waitedMs >= limits.reviewSoonMs ? "soon" : "fresh";
}
