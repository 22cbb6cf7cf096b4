// The hours and days of the overview: their labels, and links to the lists behind them.

import { useNavigate } from "@tanstack/react-router";
import type { Query } from "../api/call.ts";
import { usePageOf } from "../api/me.ts";
import { parseSearch } from "../state/filters.ts";
import { dateFormat } from "../state/locale.ts";
import { timeZoneOf, useZone, type Zone } from "../state/zone.ts";
import type { Bucket } from "./overview.ts";

const hourMs = 3_600_000;

const dayForms: Intl.DateTimeFormatOptions = { day: "numeric", month: "short" };
const hourForms: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit" };

export function labelsOf(buckets: readonly Bucket[], zone: Zone): string[] {
  const [first] = buckets;
  const forms = first && first.to - first.from === hourMs ? hourForms : dayForms;
  const format = dateFormat({ ...forms, ...zoned(zone) });
  return buckets.map(({ from }) => format.format(from));
}

/** As filters have it: "2026-11-15". */
export function dayOf(ms: number, zone: Zone): string {
  return new Intl.DateTimeFormat("en-CA", zoned(zone)).format(ms);
}

function zoned(zone: Zone): Intl.DateTimeFormatOptions {
  const timeZone = timeZoneOf(zone);
  return timeZone ? { timeZone } : {};
}

type Listed<Answer> = (screen: string, bucket: Bucket | undefined, query?: Query) => Answer;

const acrossSubaccounts: ReadonlySet<string> = new Set(["approvals", "users", "tokens"]);

/** The address of a list, filtered by the days of a bucket and by the rest. */
export function useListAddress(): Listed<string> {
  const zone = useZone();
  const pageOf = usePageOf();
  return (screen, bucket, query = {}) => {
    const days = bucket && { from: dayOf(bucket.from, zone), to: dayOf(bucket.to - 1, zone) };
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...query, ...days })) {
      if (value !== undefined && value !== null && value !== "") search.set(name, String(value));
    }
    const page = acrossSubaccounts.has(screen) ? `/${screen}` : pageOf(...screen.split("/"));
    return `${page}${search.size > 0 ? `?${search}` : ""}`;
  };
}

/** Goes there. */
export function useOpen(): Listed<void> {
  const address = useListAddress();
  const navigate = useNavigate();
  return (...list) => {
    const [to, search = ""] = address(...list).split("?");
    void navigate({ to: to as never, search: parseSearch(search) as never });
  };
}
