// What each rule of a proposal would have done, beside the rules in force.

import { Stack, Text } from "@mantine/core";
import type { ModeBacktest } from "@server/doors/console/rules/schema.ts";
import { onePageOf } from "../api/page.ts";
import { shareText } from "../overview/figures.ts";
import { Empty } from "../parts/empty.tsx";
import { Money } from "../parts/money.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Sparkline } from "../parts/sparkline.tsx";
import { countText } from "../state/locale.ts";
import { rulesTexts } from "../texts/rules.ts";
import styles from "./rules.module.css";

const changeWords = {
  new: "New",
  changed: "Changed",
  same: "Unchanged",
  removed: "Removed",
} as const;

type RuleRow = ModeBacktest["rules"][number];

export function BacktestRules({ result }: { result: ModeBacktest }) {
  const columns: Column<RuleRow>[] = [
    {
      key: "rule",
      title: rulesTexts.rule,
      cell: ({ name, sentence }) => (
        <div>
          <span className={styles.sentence}>{sentence}</span>
          <Text size="xs" c="dimmed">
            {name}
          </Text>
        </div>
      ),
    },
    {
      key: "change",
      title: "Change",
      cell: ({ change }) => changeWords[change],
    },
    {
      key: "count",
      title: "Payouts",
      align: "right",
      cell: ({ count }) => `${countText(count)} (${shareText(count, result.payouts)})`,
    },
    {
      key: "sums",
      title: "Sum",
      align: "right",
      cell: ({ sums }) =>
        sums.length === 0 ? (
          "–"
        ) : (
          <Stack gap={0} align="flex-end">
            {sums.map(({ currency, amount }) => (
              <Money key={currency} amount={amount} currency={currency} />
            ))}
          </Stack>
        ),
    },
    { key: "also", title: "Newly", align: "right", cell: ({ also }) => countText(also) },
    {
      key: "no_longer",
      title: "No longer",
      align: "right",
      cell: ({ no_longer }) => countText(no_longer),
    },
    {
      key: "days",
      title: "By day",
      width: 140,
      wideOnly: true,
      cell: ({ by_day, sentence }) => (
        <Sparkline
          bars={by_day.map((value) => ({ value }))}
          label={`Payouts by day: ${sentence}`}
          tone="measure"
        />
      ),
    },
  ];
  return (
    <section aria-label={rulesTexts.backtest.byRule}>
      <Text component="h3" size="sm" fw={600} m={0} mb="xs">
        {rulesTexts.backtest.byRule}
      </Text>
      <PageTable
        label={rulesTexts.backtest.byRule}
        columns={columns}
        page={onePageOf({ data: { rows: result.rules } })}
        rowKey={({ rule_id }) => rule_id}
        empty={<Empty title={rulesTexts.draftEmpty} hint={rulesTexts.draftEmptyHint} />}
      />
    </section>
  );
}
