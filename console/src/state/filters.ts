// Filters are kept in the address: a list can be linked to, and Back restores it.

import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

export type Filters = Record<string, string>;

/** The search parameters of a route: a flat record of strings. Anything else is dropped. */
export function searchOf(search: Record<string, unknown>): Filters {
  return Object.fromEntries(
    Object.entries(search).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
}

/** Drops a filter with an invalid value: it would be shown as set and filter nothing. */
export function parseSearch(text: string): Filters {
  return Object.fromEntries(
    [...new URLSearchParams(text)]
      .map(([name, value]) => [name, name === "currency" ? value.toUpperCase() : value] as const)
      .filter(([name, value]) => forms[name]?.(value) ?? true),
  );
}

const isAmount = (text: string) => /^\d{1,16}$/.test(text);

const forms: Record<string, (text: string) => boolean> = {
  from: isDayOrMoment,
  to: isDayOrMoment,
  amount_min: isAmount,
  amount_max: isAmount,
};

function isDayOrMoment(text: string): boolean {
  if (/^\d{5,15}$/.test(text)) return true;
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

export function stringifySearch(search: Record<string, unknown>): string {
  const text = new URLSearchParams(searchOf(search)).toString();
  return text === "" ? "" : `?${text}`;
}

/**
 * The values, and a function to change some of them: an empty or undefined one is removed. Changing a filter goes back
 * to the first page.
 */
export function useFilters(): [Filters, (changes: Record<string, string | undefined>) => void] {
  const values = useSearch({ strict: false }) as Filters;
  const navigate = useNavigate();
  const change = useCallback(
    (changes: Record<string, string | undefined>) => {
      const search = (before: Filters) => {
        const after = {
          ...before,
          ...("cursor" in changes ? {} : { cursor: undefined }),
          ...changes,
        };
        return Object.fromEntries(
          Object.entries(after).filter(([, value]) => value !== undefined && value !== ""),
        );
      };
      void navigate({ to: ".", search: search as never, replace: !("cursor" in changes) });
    },
    [navigate],
  );
  return [values, change];
}
