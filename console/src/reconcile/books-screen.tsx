// The ledger of a month by currency: opening balance, transfers, closing balance.

import { Text } from "@mantine/core";
import { usePageOf } from "../api/me.ts";
import { CurrencyChoice } from "../parts/currency-choice.tsx";
import { Empty } from "../parts/empty.tsx";
import { LinkButton } from "../parts/link-button.tsx";
import { MonthField } from "../parts/month-field.tsx";
import { Problem } from "../parts/problem.tsx";
import { Screen } from "../parts/screen.tsx";
import { PageLoading } from "../shell/page-states.tsx";
import { useFilters } from "../state/filters.ts";
import { CurrencyBooks } from "./currency-books.tsx";
import { type Reconciliation, useReconciliation } from "./reconciliation.ts";

export function BooksScreen() {
  const { data, error, refetch } = useReconciliation();
  return (
    <Screen actions={<Choices currencies={data?.currencies ?? []} />}>
      <Text size="sm" c="dimmed">
        All days are in UTC.
      </Text>
      <Problem error={error} onRetry={() => void refetch()} />
      {data ? <Books data={data} /> : !error && <PageLoading />}
    </Screen>
  );
}

function Choices({ currencies }: { currencies: readonly string[] }) {
  const [{ month }, setFilters] = useFilters();
  return (
    <>
      <MonthField month={month} onChange={(chosen) => setFilters({ month: chosen })} />
      <CurrencyChoice currencies={currencies} />
    </>
  );
}

function Books({ data }: { data: Reconciliation }) {
  const pageOf = usePageOf();
  if (data.balances.length === 0) {
    return (
      <Empty
        title="No ledger activity yet"
        hint="Balances shows how to add funds."
        action={<LinkButton to={pageOf("balances")}>Go to Balances</LinkButton>}
      />
    );
  }
  return data.balances.map((books) => (
    <CurrencyBooks key={books.currency} books={books} month={data.month ?? ""} />
  ));
}
