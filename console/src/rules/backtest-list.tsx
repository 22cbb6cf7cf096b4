// The newest payouts to which the proposed rules or those in force apply, with the figures that they compared.

import { Text } from "@mantine/core";
import type { ModeBacktest } from "@server/doors/console/rules/schema.ts";
import { onePageOf } from "../api/page.ts";
import { Empty } from "../parts/empty.tsx";
import { Money } from "../parts/money.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { SubaccountName } from "../parts/subaccount-name.tsx";
import { When } from "../parts/when.tsx";
import { rulesTexts } from "../texts/rules.ts";
import styles from "./rules.module.css";

type Listed = ModeBacktest["list"][number];
type Act = Listed["act"];

export function BacktestList({ result }: { result: ModeBacktest }) {
  const { list } = result;
  return (
    <section aria-label={rulesTexts.backtest.list(list.length)}>
      <Text component="h3" size="sm" fw={600} m={0}>
        {rulesTexts.backtest.list(list.length)}
      </Text>
      <Text size="xs" c="dimmed" mb="xs">
        Those that would be decided differently come first.
      </Text>
      <PageTable
        label={rulesTexts.backtest.list(list.length)}
        columns={columns}
        page={onePageOf({ data: { rows: list } })}
        rowKey={({ payout_id }) => payout_id}
        rowHref={({ subaccount_id, payout_id }) => `/s/${subaccount_id}/payouts/${payout_id}`}
        empty={<Empty title="No rule applies to a payout of the last 90 days." />}
      />
    </section>
  );
}

const columns: Column<Listed>[] = [
  { key: "at", title: "Time", cell: ({ at }) => <When ms={at} /> },
  {
    key: "amount",
    phone: "lead",
    title: "Amount",
    align: "right",
    isLink: true,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    key: "subaccount",
    phone: "sub-end",
    title: "Subaccount",
    cell: ({ subaccount_id }) => <SubaccountName id={subaccount_id} />,
  },
  {
    key: "before",
    phone: "sub",
    title: "Rules in force",
    cell: ({ active_act }) => <ActWord act={active_act} />,
  },
  {
    key: "after",
    phone: "lead-end",
    title: "Proposed rules",
    cell: ({ act, active_act }) => <ActWord act={act} isNew={act !== active_act} />,
  },
  {
    key: "why",
    phone: "foot",
    title: "Figures",
    cell: ({ rules }) =>
      rules.length === 0
        ? "–"
        : rules.map(({ rule_id, name, text }) => (
            <div key={rule_id} className={styles.why}>
              {text ? `${name}: ${text}` : name}
            </div>
          )),
  },
];

function ActWord({ act, isNew = false }: { act: Act; isNew?: boolean }) {
  const word = act === null ? "No rule applies" : rulesTexts.backtest.acts[act];
  return isNew ? <strong>{word}</strong> : word;
}
