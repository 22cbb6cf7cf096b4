// The balances of the subaccount by currency.

import type { BalanceList } from "@server/doors/console/payouts/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { useApiOf, useSubaccount } from "../api/me.ts";

export type Balance = BalanceList["rows"][number];

export function useBalances(): readonly Balance[] {
  return useBalanceQuery()?.rows ?? [];
}

/** False where every payout would be refused. True while it is loading. */
export function useIsBankConnected(): boolean {
  return useBalanceQuery()?.is_bank_connected ?? true;
}

function useBalanceQuery(): BalanceList | undefined {
  const { id } = useSubaccount();
  const path = useApiOf()("/payouts/balances");
  const { data } = useQuery({
    queryKey: [id, "balances"],
    queryFn: ({ signal }) => get<BalanceList>(path, {}, signal),
  });
  return data;
}
