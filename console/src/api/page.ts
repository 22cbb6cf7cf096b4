// A paginated list. The cursor of the current page is in the address, beside the filters.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useFilters } from "../state/filters.ts";
import { get, type Query } from "./call.ts";

export type Rows<Row> = { rows: Row[]; next: string | null };

export type ListPage<Row, Answer = Rows<Row>> = {
  rows: readonly Row[] | undefined;
  /** The whole response, for lists that say more than their rows. */
  answer?: Answer | undefined;
  error: unknown;
  isLoading: boolean;
  /** The rows shown are of the previous query; newer ones are loading. */
  isStale: boolean;
  onNext: (() => void) | undefined;
  onPrevious: (() => void) | undefined;
  retry: () => void;
};

/** A list that is loaded whole. */
export function onePageOf<Row>({
  data,
  error,
  isLoading,
  refetch,
}: {
  data: { rows: readonly Row[] } | undefined;
  error?: unknown;
  isLoading?: boolean;
  refetch?: () => unknown;
}): ListPage<Row> {
  return {
    rows: data?.rows,
    error,
    isLoading: isLoading ?? false,
    isStale: false,
    onNext: undefined,
    onPrevious: undefined,
    retry: () => void refetch?.(),
  };
}

/**
 * `key` begins with the subaccount's ID and the kind of rows, as in [id, "payouts"]: the live stream reloads queries
 * by these.
 */
export function usePage<Row, Answer extends Rows<Row> = Rows<Row>>(
  key: readonly string[],
  path: string,
  query: Query = {},
  /** For lists across subaccounts, which have no event stream. */
  { everyMs }: { everyMs?: number } = {},
): ListPage<Row, Answer> {
  const [{ cursor }, setFilters] = useFilters();
  // The cursors of the previous pages. A reload forgets them: then Previous leads to the first page.
  const [before, setBefore] = useState<string[]>([]);
  const { data, error, isLoading, isPlaceholderData, refetch } = useQuery({
    queryKey: [...key, path, query, cursor],
    queryFn: ({ signal }) => get<Answer>(path, { ...query, cursor }, signal),
    placeholderData: keepPreviousData,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
  });
  const next = data?.next;
  return {
    rows: data?.rows,
    answer: data,
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
