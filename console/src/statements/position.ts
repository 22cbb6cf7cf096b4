// Loads the position of a bank connection: it is asked for on its own, because it may take a while.

import type { BankPositionDetail } from "@server/doors/console/statements/schema.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";

export type { BankPositionDetail };

/** `month`: at its end. Undefined: now. */
export function usePosition(connectionId: string, month?: string) {
  const query = { month };
  return useQuery({
    queryKey: ["banks", "reconcile", "position", connectionId, query],
    queryFn: ({ signal }) =>
      get<BankPositionDetail>(
        `/reconcile/banks/${encodeURIComponent(connectionId)}`,
        query,
        signal,
      ),
    placeholderData: keepPreviousData,
  });
}
