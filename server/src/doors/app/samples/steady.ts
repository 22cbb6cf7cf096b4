// Recorded answers with steady values in place of what differs from run to run: ids, times, keys and secrets. The
// same story gives the same bytes.

import { readCursor, writeCursor } from "../../../platform/base/index.ts";

type Times = {
  /** When the story began, and when each of its calls began: milliseconds. */
  startedMs: number;
  stepsMs: readonly number[];
};

/** The story begins here, and each call is a second after the one before. */
const baseMs = Date.UTC(2026, 0, 15, 9);
const beforeStoryMs = 600_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Days this near to the story are made steady. */
const nearDays = 10;

/** The prefix of steady ids, including those that the story makes up. */
const steadyStart = "0190f3a2-";
const uuid = /(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

export function steadyText(times: Times, replacements: readonly [string | RegExp, string][]) {
  const ids = new Map<string, string>();
  const steadyId = (id: string) => {
    const known = ids.get(id);
    if (known) return known;
    const steady = `${steadyStart}7b3c-7d1e-8f00-${(ids.size + 1).toString(16).padStart(12, "0")}`;
    ids.set(id, steady);
    return steady;
  };

  const steadyMs = (ms: number): number => {
    const { startedMs, stepsMs } = times;
    if (ms < startedMs - beforeStoryMs) return baseMs + (ms - startedMs);
    // Later times differ by whole hours.
    const laterMs = Math.floor((ms - startedMs) / hourMs) * hourMs;
    if (laterMs > 0) return steadyMs(ms - laterMs) + laterMs;
    const step = stepsMs.findLastIndex((stepMs) => stepMs <= ms);
    return baseMs + step * 1000;
  };
  const isOfNow = (ms: number) => Math.abs(ms - times.startedMs) < 2 * 86_400_000;

  /** A story may pass midnight, so the day after its own is the same day. Other days keep their distance. */
  const steadyDay = (day: string): string => {
    const days = Math.floor(Date.parse(day) / dayMs) - Math.floor(times.startedMs / dayMs);
    if (Math.abs(days) > nearDays) return day;
    const distance = days === 1 ? 0 : days;
    return new Date(baseMs + distance * dayMs).toISOString().slice(0, 10);
  };

  return (text: string): string => {
    let steady = text;
    for (const [from, to] of replacements) steady = steady.replaceAll(from, to);
    return steady
      .replace(/cursor=([\w-]{22})\b/g, (whole, cursor: string) => {
        const id = readCursor(cursor);
        return id ? `cursor=${writeCursor(steadyId(id))}` : whole;
      })
      .replace(uuid, (id) => (id.startsWith(steadyStart) ? id : steadyId(id)))
      .replace(/(?<=applicant_)[0-9a-f]{32}/g, (hex) => {
        const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
        return steadyId(id).replaceAll("-", "");
      })
      .replace(/\b\d{13}\b/g, (digits) =>
        isOfNow(Number(digits)) ? String(steadyMs(Number(digits))) : digits,
      )
      .replace(/("at":"(\d{10})\d{3}","timestamp":")\d{10}/g, "$1$2")
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (time) =>
        new Date(steadyMs(Date.parse(time))).toISOString(),
      )
      .replace(/(?<!\d)20\d\d-\d\d-\d\d(?![\dT])/g, steadyDay)
      .replace(/(?<="(took|p50|p95)_ms":)\d+/g, "12");
  };
}
