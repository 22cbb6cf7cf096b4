// Loads the signed-in user. All parts of a page share one response.

import type { Me } from "@server/doors/console/me/schema.ts";
import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { get } from "./call.ts";

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: ({ signal }) => get<Me>("/me", {}, signal),
  staleTime: 60_000,
});

export function useMe(): Me {
  return useSuspenseQuery(meQuery).data;
}
