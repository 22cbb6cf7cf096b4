// Loads the review queue and its cases, and finds the next and the previous case.

import type {
  Duplicate,
  Foreseen,
  ReviewCase,
  ReviewCheck,
  ReviewLine,
  ReviewsPage,
} from "@server/console/reviews/schema.ts";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { get } from "../api/call.ts";

export type { Duplicate, Foreseen, ReviewCase, ReviewCheck as Check, ReviewLine };

const renewMs = 15_000;

/** Which case is open: `<subaccount>.<receiver>`, as the address has it. */
export function caseName({
  subaccount,
  receiver_id,
}: Pick<ReviewLine, "subaccount" | "receiver_id">) {
  return `${subaccount.id}.${receiver_id}`;
}

/** The API path of a case. */
export function casePath(name: string): string {
  return `/reviews/${name.split(".").map(encodeURIComponent).join("/")}`;
}

export function useQueue(tab: string, cursor: string | undefined) {
  return useQuery({
    queryKey: ["reviews", "queue", tab, cursor],
    queryFn: ({ signal }) => get<ReviewsPage>("/reviews", { tab, cursor }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: renewMs,
  });
}

export function useCase(name: string | undefined) {
  return useQuery({
    queryKey: ["reviews", "case", name],
    queryFn: ({ signal }) => get<ReviewCase>(casePath(name ?? ""), {}, signal),
    enabled: name !== undefined,
    refetchInterval: renewMs,
  });
}

export function useRenewReviews(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all([
      client.invalidateQueries({ queryKey: ["reviews"] }),
      client.invalidateQueries({ queryKey: ["waiting", "reviews"] }),
    ]);
  };
}

/** The case after, or before, the one that is open; at the end none. */
export function neighbourOf(
  rows: readonly ReviewLine[],
  open: string | undefined,
  step: 1 | -1,
): string | undefined {
  const at = rows.findIndex((row) => caseName(row) === open);
  const next = at < 0 ? rows[0] : rows[at + step];
  return next && caseName(next);
}
