// A list that is short enough to come whole, for the table that shows lists.

import { useQuery } from "@tanstack/react-query";
import { get } from "./call.ts";
import type { ListPage } from "./page.ts";

type Whole<Row> = { rows: Row[] };

export function useWholeList<Row>(
  key: readonly string[],
  path: string,
  refetchMs: (rows: readonly Row[]) => number | false = () => false,
): ListPage<Row> {
  const { data, error, isLoading, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => get<Whole<Row>>(path, {}, signal),
    refetchInterval: ({ state }) => refetchMs(state.data?.rows ?? []),
  });
  return {
    ...{ rows: data?.rows, error, isLoading, isStale: false },
    ...{ onNext: undefined, onPrevious: undefined },
    retry: () => void refetch(),
  };
}
