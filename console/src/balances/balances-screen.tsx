// The balances of the subaccount by currency: now, their trend, and how to fund them.

import { Text, Title } from "@mantine/core";
import { useSubaccount } from "../api/me.ts";
import { Empty } from "../parts/empty.tsx";
import { Problem } from "../parts/problem.tsx";
import { Screen } from "../parts/screen.tsx";
import { LoadingScreen } from "../shell/page-states.tsx";
import { fundingTexts } from "../texts/funding.ts";
import { AddTestFunds } from "./add-test-funds.tsx";
import { BalancePanel } from "./balance-panel.tsx";
import { useBalancesNow } from "./balances.ts";
import { HowToFund } from "./how-to-fund.tsx";

export function BalancesScreen() {
  const { is_closed } = useSubaccount();
  const { data, error, refetch } = useBalancesNow();
  if (!data) {
    return <LoadingScreen error={error} onRetry={refetch} />;
  }
  const { balances, days } = data;
  return (
    <Screen actions={<AddTestFunds />}>
      <Problem error={error} onRetry={() => void refetch()} />
      {balances.length === 0 ? (
        <Empty
          title="No balances yet"
          hint="A balance appears with the first money that arrives."
        />
      ) : (
        <Text size="sm" c="dimmed">
          Days are UTC days. The last day of each chart is today, up to now.
        </Text>
      )}
      {balances.map((balance) => (
        <BalancePanel key={balance.currency} balance={balance} days={days} />
      ))}
      <Title order={2} fz="md" mt="xs">
        {fundingTexts.howToFund}
      </Title>
      {is_closed ? (
        <Text size="sm">The subaccount is closed: it can't be funded.</Text>
      ) : (
        <HowToFund />
      )}
    </Screen>
  );
}
