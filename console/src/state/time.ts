// Formats times: relative within a day, otherwise as a date in the chosen time zone.

import { dateFormat } from "./locale.ts";
import { timeZoneOf, type Zone } from "./zone.ts";

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** "2 min ago", "in 4 h"; beyond a day the date. */
export function relativeText(ms: number, nowMs: number, zone: Zone): string {
  const distance = Math.abs(nowMs - ms);
  if (distance >= dayMs) return dateTimeText(ms, nowMs, zone);
  if (distance < 5 * secondMs) return "just now";
  const span = spanText(distance);
  return ms <= nowMs ? `${span} ago` : `in ${span}`;
}

/** "in 4 h"; "now" for what is due, or overdue. */
export function plannedText(ms: number, nowMs: number, zone: Zone): string {
  return ms - nowMs < 5 * secondMs ? "now" : relativeText(ms, nowMs, zone);
}

/** The largest unit only: "41 min", "2 d". */
export function spanText(ms: number): string {
  if (ms < secondMs) return `${Math.round(ms)} ms`;
  if (ms < minuteMs) return `${Math.floor(ms / secondMs)} s`;
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} min`;
  if (ms < 2 * dayMs) return `${Math.floor(ms / hourMs)} h`;
  return `${Math.floor(ms / dayMs)} d`;
}

/** "14 Nov, 09:12" as the user's language writes it, with the year when it isn't this one. */
export function dateTimeText(ms: number, nowMs: number, zone: Zone): string {
  const isThisYear = new Date(ms).getUTCFullYear() === new Date(nowMs).getUTCFullYear();
  return format(ms, zone, {
    day: "numeric",
    month: "short",
    ...(isThisYear ? {} : { year: "numeric" }),
    hour: "2-digit",
    minute: "2-digit",
  });
}

/** "14 Nov, 09:12 UTC+11": a time to plan with, also within a day. */
export function plannedTimeText(ms: number, nowMs: number, zone: Zone): string {
  return `${dateTimeText(ms, nowMs, zone)} ${zone === "utc" ? "UTC" : offsetText(ms)}`;
}

/** "14 Nov 2026, 09:12:33.204" */
export function exactText(ms: number, zone: Zone): string {
  return format(ms, zone, {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    fractionalSecondDigits: 3,
  });
}

/** "14 Nov, 09:12:33", with the year when it isn't this one. */
export function secondsText(ms: number, nowMs: number, zone: Zone): string {
  const isThisYear = new Date(ms).getUTCFullYear() === new Date(nowMs).getUTCFullYear();
  return format(ms, zone, {
    day: "numeric",
    month: "short",
    ...(isThisYear ? {} : { year: "numeric" }),
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
}

/** "UTC+11": the offset of the user's time zone at this time. */
export function offsetText(ms: number): string {
  const parts = new Intl.DateTimeFormat("en-GB", { timeZoneName: "shortOffset" }).formatToParts(ms);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  return name.replace("GMT", "UTC");
}

/** A calendar day such as "2026-11-18": "18 Nov 2026" as the user's language writes it. Anything else stays as it is. */
export function calendarDayText(day: string): string {
  const ms = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(day) : Number.NaN;
  return Number.isNaN(ms) ? day : days.format(ms);
}

const days = dateFormat({ dateStyle: "medium", timeZone: "UTC" });

const formats = new Map<string, Intl.DateTimeFormat>();

function format(ms: number, zone: Zone, options: Intl.DateTimeFormatOptions): string {
  const key = `${zone} ${Object.keys(options)}`;
  const made =
    formats.get(key) ??
    dateFormat({ ...options, timeZone: timeZoneOf(zone) } as Intl.DateTimeFormatOptions);
  formats.set(key, made);
  return made.format(ms);
}
