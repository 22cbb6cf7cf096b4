// The sum of the payouts that the filters match, by currency.

import { Text } from "@mantine/core";
import type { PayoutSums } from "@server/doors/console/payouts/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { get, type Query } from "../api/call.ts";
import { useApiOf, useSubaccount } from "../api/me.ts";
import { countText } from "../state/locale.ts";
import { moneyText } from "../state/money.ts";

export function FilteredSum({ query }: { query: Query }) {
  const { id } = useSubaccount();
  const path = useApiOf()("/payouts/sum");
  const { data } = useQuery({
    queryKey: [id, "payouts", "sum", query],
    queryFn: ({ signal }) => get<PayoutSums>(path, query, signal),
  });
  if (!data) return null;
  const sums = data.sums.map(({ amount, currency }) => moneyText(amount, currency)).join(", ");
  return (
    <Text size="sm" c="dimmed" role="status">
      {data.count === null
        ? `The sum is shown for less than ${countText(data.most)} matching payouts`
        : `${countText(data.count)} ${data.count === 1 ? "payout" : "payouts"}${sums === "" ? "" : `: ${sums}`}`}
    </Text>
  );
}
