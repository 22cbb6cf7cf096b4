// How much waits for a person to decide, for the badges on the left.

import { useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { seesAll, useMe } from "../api/me.ts";
import type { Badge } from "./nav-items.ts";

type Waiting = Record<Badge, number>;

/** Counted no further than this. */
const shownMax = 99;

/** Nothing is shown where nothing waits, or where it can't be told. */
export function useWaiting(badge: Badge | undefined): string | undefined {
  const me = useMe();
  const { data } = useQuery({
    queryKey: ["waiting"],
    queryFn: ({ signal }) => get<Waiting>("/waiting", {}, signal),
    enabled: badge !== undefined && seesAll(me),
    refetchInterval: 15_000,
    retry: false,
  });
  const count = badge && data?.[badge];
  if (!count) return undefined;
  return count > shownMax ? `${shownMax}+` : String(count);
}
