// The number of open reviews and approvals, for the badges of the navigation.

import { useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { seesAll, useMe } from "../api/me.ts";
import type { Badge } from "./pages.ts";

type Waiting = { count: number; is_capped: boolean };

/** Undefined where nothing is open, or where the number is not known. */
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
