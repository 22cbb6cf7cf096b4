// Reconcile: where the money is, each bank connection against the books, and what a user has to look at first.

import { Select, Stack, Title } from "@mantine/core";
import type { BankStandings, MoneyPictures } from "@server/doors/console/statements/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { Empty } from "../parts/empty.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";
import { Screen } from "../parts/screen.tsx";
import { PageLoading } from "../shell/page-states.tsx";
import { useFilters } from "../state/filters.ts";
import { statementsTexts } from "../texts/statements.ts";
import { ApplyStatement } from "./apply-statement.tsx";
import { ConnectionCard } from "./connection-card.tsx";
import { FirstExceptions } from "./exception-table.tsx";
import { MoneyStatement } from "./money-statement.tsx";
import { ReconcileTabs } from "./reconcile-tabs.tsx";
import styles from "./statements.module.css";

const modes = { live: "live", test: "test mode" } as Record<string, string>;

export function BankReconcileScreen() {
  return (
    <Screen actions={<ApplyStatement />}>
      <ReconcileTabs />
      <WhereTheMoneyIs />
      <Connections />
      <Stack gap="xs">
        <div className={styles.head}>
          <Title order={2} fz="sm">
            {statementsTexts.exceptions}
          </Title>
          <PageLink to="/reconcile/exceptions">All exceptions</PageLink>
        </div>
        <FirstExceptions />
      </Stack>
    </Screen>
  );
}

function WhereTheMoneyIs() {
  const [{ mode, currency }, setFilters] = useFilters();
  const { data, error, refetch } = useQuery({
    queryKey: ["banks", "reconcile", "money"],
    queryFn: ({ signal }) => get<MoneyPictures>("/reconcile/money", {}, signal),
  });
  const pictures = data?.rows ?? [];
  const chosen =
    pictures.find((one) => one.mode === mode && one.currency === currency) ?? pictures[0];
  const choice = pictures.length > 1 && chosen && (
    <Select
      size="xs"
      w={150}
      aria-label="Mode and currency"
      data={pictures.map((one) => ({
        value: `${one.mode} ${one.currency}`,
        label: `${one.currency}, ${modes[one.mode]}`,
      }))}
      value={`${chosen.mode} ${chosen.currency}`}
      allowDeselect={false}
      onChange={(value) => {
        const [toMode, toCurrency] = value?.split(" ") ?? [];
        setFilters({ mode: toMode, currency: toCurrency });
      }}
    />
  );
  return (
    <Panel title={statementsTexts.money} actions={choice}>
      <Problem error={error} onRetry={() => void refetch()} />
      {!data && !error && <PageLoading />}
      {data && !chosen && (
        <Empty
          title="No money in the books yet"
          hint="It begins with the first money that funds a subaccount."
        />
      )}
      {chosen && <MoneyStatement picture={chosen} />}
    </Panel>
  );
}

function Connections() {
  const { data, error, refetch } = useQuery({
    queryKey: ["banks", "reconcile", "standings"],
    queryFn: ({ signal }) => get<BankStandings>("/reconcile/banks", {}, signal),
  });
  return (
    <section aria-label="Bank connections">
      <Problem error={error} onRetry={() => void refetch()} />
      {data?.rows.length === 0 && (
        <Panel>
          <Empty
            title="No bank connections yet"
            hint="Add one under Banks. Its statements prove the books."
          />
        </Panel>
      )}
      <div className={styles.cards}>
        {data?.rows.map((standing) => (
          <ConnectionCard key={standing.id} standing={standing} />
        ))}
      </div>
    </section>
  );
}
