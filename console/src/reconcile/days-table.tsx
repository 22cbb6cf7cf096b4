// The days of the month with transfers.

import { Table, Text } from "@mantine/core";
import stacked from "../parts/stacked-table.module.css";
import { amountText } from "../state/money.ts";
import { dayText } from "../state/months.ts";
import { reconcileTexts } from "../texts/reconcile.ts";
import styles from "./reconcile.module.css";
import type { ReconciledBalance } from "./reconciliation.ts";

const columns = [
  ["funded", reconcileTexts.inLabel],
  ["paid", reconcileTexts.out],
  ["returned", reconcileTexts.returned],
  ["fees", reconcileTexts.fees],
  ["reversed", reconcileTexts.reversed],
  ["rejected", "Rejected"],
  ["released", "Released"],
  ["closing", reconcileTexts.closing],
] as const;

/** For information only: this money never left the balance. */
const aside = new Set<string>(["rejected", "released"]);
const always = new Set<string>(["funded", "paid", "closing"]);

export function DaysTable({ books: { days, currency } }: { books: ReconciledBalance }) {
  if (days.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No transfers in this month.
      </Text>
    );
  }
  const label = `Days, in ${currency}`;
  const shown = columns.filter(([name]) => always.has(name) || days.some((day) => day[name] !== 0));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <section className={styles.frame} tabIndex={0} aria-label={label}>
      <Table className={`${styles.table} ${stacked.stacked}`}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Day</Table.Th>
            {shown.map(([name, title]) => (
              <Table.Th key={name} scope="col" data-aside={aside.has(name) || undefined}>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.map((day) => (
            <Table.Tr key={day.day}>
              <Table.Th scope="row">{dayText(day.day)}</Table.Th>
              {shown.map(([name, title]) => {
                const isNone = day[name] === 0 && name !== "closing";
                return (
                  <Table.Td
                    key={name}
                    data-title={title}
                    data-aside={aside.has(name) || undefined}
                    data-none={isNone || undefined}
                  >
                    {isNone ? "–" : amountText(day[name], currency)}
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
