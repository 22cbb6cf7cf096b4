// Loads the reconciliation for the month and the currency in the address.

import type { ReconciledBalance, Reconciliation } from "@server/doors/console/reconcile/schema.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { useApiOf, useSubaccount } from "../api/me.ts";
import { useFilters } from "../state/filters.ts";
import { monthOf } from "../state/months.ts";

export type { ReconciledBalance, Reconciliation };

const behindMs = 1_500;

export function useReconciliation() {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const [{ month = monthOf(Date.now()), currency }] = useFilters();
  const query = { month, currency };
  return useQuery({
    queryKey: [id, "payouts", "reconcile", query],
    queryFn: ({ signal }) => get<Reconciliation>(apiOf("/reconcile"), query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.balances.some(({ behind }) => behind > 0) ? behindMs : false,
  });
}
