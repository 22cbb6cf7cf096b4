// Loads the overview for the time range and the currency in the address.

import type { Overview } from "@server/doors/console/overview/schema.ts";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { useSubaccount } from "../api/me.ts";
import { type Filters, useFilters } from "../state/filters.ts";
import { timeZoneOf, useZone, type Zone } from "../state/zone.ts";

export type { Overview };
export type Bucket = Overview["buckets"][number];

export const ranges = ["24h", "7d", "30d", "90d"] as const;

/** While roll-ups are behind, and otherwise: a day also ends when nothing happens. */
const behindMs = 1_500;
const idleMs = 60_000;

export function overviewQuery(id: string, { range = "7d", currency }: Filters, zone: Zone) {
  const timeZone = timeZoneOf(zone) ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const query = { range, currency, time_zone: timeZone };
  const path = `/s/${encodeURIComponent(id)}/overview`;
  return queryOptions({
    queryKey: [id, "all", "overview", query],
    queryFn: ({ signal }) => get<Overview>(path, query, signal),
  });
}

export function useOverview() {
  const { id } = useSubaccount();
  const zone = useZone();
  const [filters] = useFilters();
  return useQuery({
    ...overviewQuery(id, filters, zone),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.behind ? behindMs : idleMs),
  });
}
