// Loads the overview for the time range and the currency in the address.

import type { Overview } from "@server/console/overview/schema.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { useApiOf, useSubaccount } from "../api/me.ts";
import { useFilters } from "../state/filters.ts";
import { timeZoneOf, useZone } from "../state/zone.ts";

export type { Overview };
export type Bucket = Overview["buckets"][number];

export const ranges = ["24h", "7d", "30d", "90d"] as const;

/** While roll-ups are behind, and otherwise: a day also ends when nothing happens. */
const behindMs = 1_500;
const idleMs = 60_000;

export function useOverview() {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const zone = useZone();
  const [{ range = "7d", currency }] = useFilters();
  const timeZone = timeZoneOf(zone) ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const query = { range, currency, time_zone: timeZone };
  return useQuery({
    queryKey: [id, "all", "overview", query],
    queryFn: ({ signal }) => get<Overview>(apiOf("/overview"), query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.behind ? behindMs : idleMs),
  });
}
