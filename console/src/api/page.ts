// A list, page by page: the cursor of the page in view is in the address, beside its filters.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useFilters } from "../state/filters.ts";
import { get, type Query } from "./call.ts";

export type Rows<Row> = { rows: Row[]; next: string | null };

export type ListPage<Row> = {
  rows: readonly Row[] | undefined;
  error: unknown;
  isLoading: boolean;
  /** Something newer is on its way; what is shown is of before. */
  isStale: boolean;
  onNext: (() => void) | undefined;
  onPrevious: (() => void) | undefined;
  retry: () => void;
};

/**
 * `key` begins with the subaccount's id and the kind of thing that it lists, as in [id, "payouts"]: by these the
 * live stream knows what to ask anew.
 */
export function usePage<Row>(
  key: readonly string[],
  path: string,
  query: Query = {},
  /** For lists across subaccounts, of which no stream tells. */
  { everyMs }: { everyMs?: number } = {},
): ListPage<Row> {
  const [{ cursor }, setFilters] = useFilters();
  // The cursors of the pages before. After a reload they are forgotten: then back is to the first page.
  const [before, setBefore] = useState<string[]>([]);
  const { data, error, isLoading, isPlaceholderData, refetch } = useQuery({
    queryKey: [...key, path, query, cursor],
    queryFn: ({ signal }) => get<Rows<Row>>(path, { ...query, cursor }, signal),
    placeholderData: keepPreviousData,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
  });
  const next = data?.next;
  return {
    rows: data?.rows,
    error,
    isLoading,
    isStale: isPlaceholderData,
    onNext: next
      ? () => {
          setBefore([...before, cursor ?? ""]);
          setFilters({ cursor: next });
        }
      : undefined,
    onPrevious: cursor
      ? () => {
          setFilters({ cursor: before.at(-1) || undefined });
          setBefore(before.slice(0, -1));
        }
      : undefined,
    retry: () => void refetch(),
  };
}
