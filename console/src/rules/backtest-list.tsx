// The newest payouts to which the proposed rules or those in force apply, with the figures that they compared.

import { Text } from "@mantine/core";
import type { ModeBacktest } from "@server/console/rules/schema.ts";
import { onePageOf } from "../api/page.ts";
import { Empty } from "../parts/empty.tsx";
import { Money } from "../parts/money.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { SubaccountName } from "../parts/subaccount-name.tsx";
import { When } from "../parts/when.tsx";
import { rulesTexts } from "../texts/rules.ts";
import styles from "./rules.module.css";

const texts = rulesTexts.backtest;
type Listed = ModeBacktest["list"][number];
type Act = Listed["act"];

export function BacktestList({ result }: { result: ModeBacktest }) {
  const { list } = result;
  return (
    <section aria-label={texts.list(list.length)}>
      <Text component="h3" size="sm" fw={600} m={0}>
        {texts.list(list.length)}
      </Text>
      <Text size="xs" c="dimmed" mb="xs">
        {texts.listHint}
      </Text>
      <PageTable
        label={texts.list(list.length)}
        columns={columns}
        page={onePageOf({ data: { rows: list } })}
        rowKey={({ payout_id }) => payout_id}
        rowHref={({ subaccount_id, payout_id }) => `/s/${subaccount_id}/payouts/${payout_id}`}
        empty={<Empty title={texts.listEmpty} />}
      />
    </section>
  );
}

const columns: Column<Listed>[] = [
  { key: "at", title: texts.time, cell: ({ at }) => <When ms={at} /> },
  {
    key: "amount",
    phone: "lead",
    title: texts.amount,
    align: "right",
    isLink: true,
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    key: "subaccount",
    phone: "sub-end",
    title: texts.subaccount,
    cell: ({ subaccount_id }) => <SubaccountName id={subaccount_id} />,
  },
  {
    key: "before",
    phone: "sub",
    title: texts.before,
    cell: ({ active_act }) => <ActWord act={active_act} />,
  },
  {
    key: "after",
    phone: "lead-end",
    title: texts.after,
    cell: ({ act, active_act }) => <ActWord act={act} isNew={act !== active_act} />,
  },
  {
    key: "why",
    phone: "foot",
    title: texts.why,
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
  const word = act === null ? texts.none : texts.acts[act];
  return isNew ? <strong>{word}</strong> : word;
}
