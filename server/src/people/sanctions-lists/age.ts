// How old a list is. Pure.

import { listLimits } from "../list-files/index.ts";
import type { VersionRow } from "./version-queries.ts";

const dayMs = 86_400_000;

/** Since it was published, or imported where its files don't say when. The day of publication counts from its end. */
export function ageMsOf(
  { published_day, at_ms }: Pick<VersionRow, "published_day" | "at_ms">,
  nowMs: number,
): number {
  const published = published_day === "" ? Number.NaN : Date.parse(published_day);
  const sinceMs = Number.isNaN(published) ? Number(at_ms) : published + dayMs;
  return Math.max(nowMs - sinceMs, 0);
}

/** Our own list does not age. */
export function isOld(version: VersionRow, nowMs: number): boolean {
  return version.list !== "embargo" && ageMsOf(version, nowMs) > listLimits.oldMs;
}
