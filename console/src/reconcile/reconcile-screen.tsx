// The books of a month, currency by currency: what it opened with, what moved, what it closed with.

import { ActionIcon, Group, Select, Text, TextInput } from "@mantine/core";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useSubaccount } from "../api/me.ts";
import { Empty } from "../parts/empty.tsx";
import { Problem } from "../parts/problem.tsx";
import { Screen } from "../parts/screen.tsx";
import { PageLoading } from "../shell/page-states.tsx";
import { useFilters } from "../state/filters.ts";
import { monthOf, monthsLater } from "./months.ts";
import { PurseBooks } from "./purse-books.tsx";
import { type Reconciliation, useReconciliation } from "./reconciliation.ts";

export function ReconcileScreen() {
  const { data, error, refetch } = useReconciliation();
  return (
    <Screen title="Reconcile" actions={<Choices currencies={data?.currencies ?? []} />}>
      <Text size="sm" c="dimmed">
        Days are those of UTC, as they are in the books, whatever zone times are shown in.
      </Text>
      <Problem error={error} onRetry={() => void refetch()} />
      {data ? <Books data={data} /> : !error && <PageLoading />}
    </Screen>
  );
}

function Choices({ currencies }: { currencies: readonly string[] }) {
  const current = monthOf(Date.now());
  const [{ month = current, currency }, setFilters] = useFilters();
  const choose = (chosen: string) => setFilters({ month: chosen === current ? undefined : chosen });
  return (
    <>
      <Group gap={4}>
        <ActionIcon
          variant="default"
          size={30}
          aria-label="The month before"
          onClick={() => choose(monthsLater(month, -1))}
        >
          <ChevronLeft size={16} aria-hidden />
        </ActionIcon>
        <TextInput
          type="month"
          size="xs"
          w={150}
          aria-label="Month"
          value={month}
          max={current}
          onChange={({ currentTarget: { value } }) => value && choose(value)}
        />
        <ActionIcon
          variant="default"
          size={30}
          aria-label="The month after"
          disabled={month >= current}
          onClick={() => choose(monthsLater(month, 1))}
        >
          <ChevronRight size={16} aria-hidden />
        </ActionIcon>
      </Group>
      {(currencies.length > 1 || currency) && (
        <Select
          aria-label="Currency"
          size="xs"
          w={130}
          placeholder="All currencies"
          data={[...currencies]}
          value={currency ?? null}
          clearable
          onChange={(chosen) => setFilters({ currency: chosen ?? undefined })}
        />
      )}
    </>
  );
}

function Books({ data }: { data: Reconciliation }) {
  const { id } = useSubaccount();
  if (data.purses.length === 0) {
    return (
      <Empty
        title="There are no books yet"
        hint="They begin with the first money that arrives."
        line={`./disburse ledger fund --subaccount ${id} --amount 1000.00 --currency AUD --reference first`}
      />
    );
  }
  return data.purses.map((purse) => (
    <PurseBooks key={purse.currency} purse={purse} month={data.month ?? ""} />
  ));
}
