// Subaccounts by ID and by the beginning of a name. There may be 50,000: only the first few come with the user.

import { useDebouncedValue } from "@mantine/hooks";
import type { SubaccountLine, SubaccountPage } from "@server/doors/console/subaccounts/schema.ts";
import { keepPreviousData, queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { get } from "./call.ts";
import { useMe } from "./me-query.ts";

export type Subaccount = SubaccountLine;

export const subaccountsKey = "subaccounts";
const shownMax = 50;
const askedAtOnceMax = 50;

/** Null: there is none, or the user does not see it. */
export const subaccountQuery = (id: string) =>
  queryOptions({
    queryKey: [subaccountsKey, "by-id", id],
    queryFn: () => load(id),
    staleTime: 60_000,
  });

/** Undefined: not known yet, or there is none that the user sees. */
export function useSubaccountOf(id: string | undefined): Subaccount | undefined {
  const known = useMe().subaccounts.find((one) => one.id === id);
  const isAsked = id !== undefined && !known;
  const { data } = useQuery({ ...subaccountQuery(id ?? ""), enabled: isAsked });
  return known ?? (isAsked ? (data ?? undefined) : undefined);
}

/** Several subaccounts. Those that are still loading are left out. */
export function useSubaccountsOf(ids: readonly string[]): readonly Subaccount[] {
  const { subaccounts } = useMe();
  const unknown = ids.filter((id) => !subaccounts.some((one) => one.id === id));
  const asked = useQueries({ queries: unknown.map(subaccountQuery) });
  const known = subaccounts.filter(({ id }) => ids.includes(id));
  return [...known, ...asked.flatMap(({ data }) => data ?? [])];
}

type FoundSubaccounts = {
  rows: readonly Subaccount[];
  /** Not all that fit are among the rows. */
  hasMore: boolean;
  isLoading: boolean;
};

/** Searches by a part of the name if the browser has all subaccounts; otherwise the server searches by words. */
export function useFoundSubaccounts(text: string): FoundSubaccounts {
  const { subaccounts, has_more_subaccounts } = useMe();
  const [asked] = useDebouncedValue(text.trim(), 200);
  const { data, isLoading } = useQuery({
    queryKey: [subaccountsKey, "found", asked],
    queryFn: ({ signal }) =>
      get<SubaccountPage>("/subaccounts", { q: asked, limit: shownMax }, signal),
    enabled: has_more_subaccounts,
    placeholderData: keepPreviousData,
  });
  if (has_more_subaccounts) {
    return { rows: data?.rows ?? [], hasMore: Boolean(data?.next), isLoading };
  }
  return { rows: subaccounts.filter((one) => fits(one, text)), hasMore: false, isLoading: false };
}

function fits({ name, id }: Subaccount, search: string): boolean {
  const text = plain(search.trim());
  return plain(name).includes(text) || id.startsWith(text);
}

/** In lower case, without accents. */
function plain(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

type Waiting = { id: string; done: (found: Subaccount | null) => void; fail: (e: unknown) => void };
let waiting: Waiting[] = [];

/** Lookups of the same moment, such as the names in a table, are sent as one request. */
function load(id: string): Promise<Subaccount | null> {
  return new Promise((done, fail) => {
    if (waiting.length === 0) setTimeout(loadWaiting);
    waiting.push({ id, done, fail });
  });
}

async function loadWaiting(): Promise<void> {
  const all = waiting;
  waiting = [];
  for (let at = 0; at < all.length; at += askedAtOnceMax) {
    const part = all.slice(at, at + askedAtOnceMax);
    try {
      const ids = part.map(({ id }) => id).join(",");
      const { rows } = await get<SubaccountPage>("/subaccounts/by-id", { ids });
      const found = new Map(rows.map((row) => [row.id, row]));
      for (const { id, done } of part) done(found.get(id) ?? null);
    } catch (error) {
      for (const { fail } of part) fail(error);
    }
  }
}
