// Loads the review queue and its cases, and finds the next and the previous case.

import type {
  HeldLine,
  HitCase,
  HitEntry,
  HitLine,
} from "@server/doors/console/reviews/hits/schema.ts";
import type { HoldCase, HoldReasonLine } from "@server/doors/console/reviews/holds/schema.ts";
import type {
  CaseKind,
  Duplicate,
  Foreseen,
  ReviewCase,
  ReviewCheck,
  ReviewLine,
  ReviewNote,
  ReviewsCount,
  ReviewsPage,
} from "@server/doors/review-list/schema.ts";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { get } from "../api/call.ts";

export type {
  CaseKind,
  Duplicate,
  Foreseen,
  HeldLine,
  HitCase,
  HitEntry,
  HitLine,
  HoldCase,
  HoldReasonLine,
  ReviewCase,
  ReviewCheck as Check,
  ReviewLine,
  ReviewNote,
};
export type AnyCase = ReviewCase | HitCase | HoldCase;

const renewMs = 15_000;

/**
 * Which case is open, as the address has it: `<subaccount>.<receiver>`, `hit.<subaccount>.<hit>` or
 * `hold.<subaccount>.<payout>`.
 */
export function caseName({
  kind,
  subaccount,
  case_id,
}: Pick<ReviewLine, "kind" | "subaccount" | "case_id">): string {
  return nameOfCase(kind, subaccount.id, case_id);
}

export function nameOfCase(kind: CaseKind, subaccountId: string, id: string): string {
  return `${kind === "identity" ? "" : `${kind}.`}${subaccountId}.${id}`;
}

const folders: Record<string, string> = { hit: "hits", hold: "holds" };

/** The API path of a case. */
export function casePath(name: string): string {
  const [first = "", ...rest] = name.split(".");
  const parts = rest.length > 1 ? [folders[first] ?? first, ...rest] : [first, ...rest];
  return `/reviews/${parts.map(encodeURIComponent).join("/")}`;
}

/** A claim is about the receiver: with it, all its cases are assigned. */
export function claimPath({ subaccount, receiver_id }: AnyCase): string {
  return casePath(nameOfCase("identity", subaccount.id, receiver_id));
}

export type QueueFilter = {
  tab: string;
  kind: string | undefined;
  subaccount_id: string | undefined;
  cursor: string | undefined;
};

export function useQueue(filter: QueueFilter) {
  return useQuery({
    queryKey: ["reviews", "queue", filter],
    queryFn: ({ signal }) => get<ReviewsPage>("/reviews", filter, signal),
    placeholderData: keepPreviousData,
    refetchInterval: renewMs,
  });
}

/** The same key as the badge of the navigation, so it is loaded once. */
export function useReviewsCount() {
  return useQuery({
    queryKey: ["waiting", "reviews"],
    queryFn: ({ signal }) => get<ReviewsCount>("/reviews/count", {}, signal),
    refetchInterval: renewMs,
    retry: false,
  });
}

export function useCase(name: string | undefined) {
  return useQuery({
    queryKey: ["reviews", "case", name],
    queryFn: ({ signal }) => get<AnyCase>(casePath(name ?? ""), {}, signal),
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

/** The list entries that one decision is about. */
export function entriesOf(shown: HitCase): readonly HitEntry[] {
  return [shown, ...shown.others];
}

export function receiverNameOf({ receiver }: AnyCase): string {
  return [receiver.first_name, receiver.middle_name, receiver.last_name].filter(Boolean).join(" ");
}
