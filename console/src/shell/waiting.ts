// How much waits for a person to decide, for the badges on the left.

import { useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { seesAll, useMe } from "../api/me.ts";
import type { Badge } from "./nav-items.ts";

type Waiting = { count: number; is_capped: boolean };

/** Nothing is shown where nothing waits, or where it can't be told. */
export function useWaiting(badge: Badge | undefined): string | undefined {
  const me = useMe();
  const { data } = useQuery({
    queryKey: ["waiting", badge],
    queryFn: ({ signal }) => get<Waiting>(`/${badge}/count`, {}, signal),
    enabled: badge !== undefined && seesAll(me),
    refetchInterval: 15_000,
    retry: false,
  });
  if (!data?.count) return undefined;
  return data.is_capped ? `${data.count}+` : String(data.count);
}
