// Runs an action on a payout, and reloads the data.

import type { PayoutDetail } from "@server/doors/console/payouts/schema.ts";
import { useQueryClient } from "@tanstack/react-query";
import { send } from "../api/call.ts";
import { useApiOf, useSubaccount } from "../api/me.ts";

export function useActOnPayout({ id: payoutId }: Pick<PayoutDetail, "id">) {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const client = useQueryClient();
  return async <Answer>(verb: string, body: object = {}): Promise<Answer> => {
    const answer = await send<Answer>("POST", apiOf(`/payouts/${payoutId}/${verb}`), body);
    await client.invalidateQueries({ queryKey: [id] });
    return answer;
  };
}
