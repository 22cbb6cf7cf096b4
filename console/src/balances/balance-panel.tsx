// One balance: its figures, and its trend as a plot or a table.

import { Text } from "@mantine/core";
import { usePageOf } from "../api/me.ts";
import { compactText } from "../overview/figures.ts";
import { Chart } from "../parts/chart.tsx";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Plot } from "../parts/plot.tsx";
import { PlotTable } from "../parts/plot-table.tsx";
import { countText } from "../state/locale.ts";
import { moneyText, type Sum } from "../state/money.ts";
import { dayText } from "../state/months.ts";
import { balancesTexts } from "../texts/balances.ts";
import { BalanceFigures } from "./balance-figures.tsx";
import styles from "./balances.module.css";
import type { BalanceOfCurrency } from "./balances.ts";

const names = ["available", "held", "in_transit"] as const;
const labels = {
  available: balancesTexts.available,
  held: balancesTexts.held,
  in_transit: balancesTexts.inTransit,
};
const colours = {
  available: "var(--tone-available)",
  held: "var(--tone-held)",
  in_transit: "var(--tone-in-transit)",
};

export function BalancePanel({
  balance,
  days,
}: {
  balance: BalanceOfCurrency;
  /** The starts of the days of its trend. */
  days: readonly number[];
}) {
  const { currency, trend, behind } = balance;
  const pageOf = usePageOf();
  const money = (amount: Sum) => <Money amount={amount} currency={currency} />;
  return (
    <div className={styles.tones}>
      <Plot
        title={currency}
        label={saidOf(balance)}
        isEmpty={false}
        actions={
          <PageLink
            to={pageOf("balances", currency)}
            fz="sm"
            aria-label={balancesTexts.linesOf(currency)}
          >
            Statement lines
          </PageLink>
        }
        above={
          <>
            <BalanceFigures balance={balance} />
            {behind > 0 && (
              <Text size="sm" c="dimmed" mb="xs">
                {`The figures of past days are still being calculated: ${countText(behind)} transfers left.`}
              </Text>
            )}
          </>
        }
        plot={
          <Chart
            labels={days.map(dayText)}
            series={names.map((name) => ({
              name,
              label: labels[name],
              color: colours[name],
              values: trend.map((day) => Number(day[name])),
            }))}
            height={166}
            valueText={(amount) => moneyText(amount, currency)}
            axis={{ text: (amount) => compactText(amount, currency) }}
          />
        }
        table={
          <PlotTable
            caption={`Balance of ${currency} at the end of each of the last 30 days`}
            heads={["Day", ...names.map((name) => labels[name]), "Total"]}
            rows={trend
              .map((day, place) => ({
                key: String(days[place]),
                head: dayText(days[place] ?? 0),
                cells: [...names.map((name) => money(day[name])), money(totalOf(day))],
              }))
              .reverse()}
          />
        }
      />
    </div>
  );
}

type Standing = BalanceOfCurrency["trend"][number];

/** Exact, also where a number is not. */
function totalOf({ available, held, in_transit }: Standing): string {
  return String(BigInt(available) + BigInt(held) + BigInt(in_transit));
}

function saidOf({ currency, trend }: BalanceOfCurrency): string {
  const totals = trend.map((day) => BigInt(totalOf(day)));
  const text = (total: bigint | undefined) => moneyText(String(total ?? 0n), currency);
  const sorted = totals.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return `Balance of ${currency} at the end of each of the last 30 days: at least ${text(sorted[0])}, at most ${text(sorted.at(-1))}, now ${text(totals.at(-1))}`;
}
