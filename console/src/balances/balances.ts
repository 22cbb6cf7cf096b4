// Loads the balances with their trend. Until the roll-ups are complete, it loads them again.

import type { BalanceOfCurrency, BalancesNow } from "@server/doors/console/balances/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { useApiOf, useSubaccount } from "../api/me.ts";

export type { BalanceOfCurrency, BalancesNow };

const behindMs = 1_500;

export function useBalancesNow() {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  return useQuery({
    queryKey: [id, "payouts", "balances"],
    queryFn: ({ signal }) => get<BalancesNow>(apiOf("/balances"), {}, signal),
    refetchInterval: ({ state }) =>
      state.data?.balances.some(({ behind }) => behind > 0) ? behindMs : false,
  });
}
