// Receivers by what a user types, as the search finds them. Without a text: the newest.

import { useDebouncedValue } from "@mantine/hooks";
import type { BlockedPayees, Payee } from "@server/doors/console/payouts/schema.ts";
import type { Hits } from "@server/doors/console/search/schema.ts";
import type { ReceiversPage } from "@server/doors/review-list/receivers/schema.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { get } from "./call.ts";
import { useApiOf, useSubaccount } from "./me.ts";

const shownMax = 10;

export type FoundReceiver = {
  id: string;
  name: string;
  detail: string;
  name_marks: readonly (readonly number[])[];
  detail_marks: readonly (readonly number[])[];
};

export function useFoundReceivers(text: string): {
  rows: readonly FoundReceiver[];
  isLoading: boolean;
} {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const typed = text.trim();
  const [q] = useDebouncedValue(typed, 150);
  const { data = [], isFetching } = useQuery({
    queryKey: [id, "receivers", "found", q],
    queryFn: async ({ signal }): Promise<FoundReceiver[]> => {
      if (q === "") {
        const { rows } = await get<ReceiversPage>(apiOf("/receivers"), { limit: shownMax }, signal);
        const unmarked = { name_marks: [], detail_marks: [] };
        return rows.map(({ id, name, email }) => ({ id, name, detail: email, ...unmarked }));
      }
      const { hits } = await get<Hits>(apiOf("/search"), { q, kind: "receiver" }, signal);
      return hits.map(({ id, title, detail, title_marks, detail_marks }) => ({
        ...{ id, name: title, detail },
        ...{ name_marks: title_marks, detail_marks },
      }));
    },
    placeholderData: keepPreviousData,
  });
  return { rows: data, isLoading: isFetching || q !== typed };
}

/** Why each of these can't be paid. Absent: it can, or it is not known yet. */
export function useBlockedPayees(ids: readonly string[]): ReadonlyMap<string, string> {
  const { id } = useSubaccount();
  const path = useApiOf()("/payouts/payees");
  const { data } = useQuery({
    queryKey: [id, "receivers", "blocked", ids],
    queryFn: ({ signal }) => get<BlockedPayees>(path, { ids: ids.join(",") }, signal),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  });
  return new Map(data?.rows.map((row) => [row.id, row.blocked_by ?? ""]));
}

/** A receiver that can be paid, with its bank accounts. Undefined: none is chosen, or it is being loaded. */
export function usePayee(receiverId: string | null): Payee | undefined {
  const { id } = useSubaccount();
  const path = useApiOf()(`/payouts/payees/${receiverId}`);
  const { data } = useQuery({
    queryKey: [id, "receivers", "payee", receiverId],
    queryFn: ({ signal }) => get<Payee>(path, {}, signal),
    enabled: receiverId !== null,
  });
  return receiverId === null ? undefined : data;
}
