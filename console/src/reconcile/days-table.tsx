// Each day of the month on which money moved.

import { Table, Text } from "@mantine/core";
import { amountText } from "../state/money.ts";
import { dayText } from "./months.ts";
import styles from "./reconcile.module.css";
import type { ReconciledPurse } from "./reconciliation.ts";

const columns = [
  ["funded", "In"],
  ["paid", "Out"],
  ["returned", "Returned"],
  ["fees", "Fees"],
  ["reversed", "Reversed"],
  ["rejected", "Rejected"],
  ["released", "Released"],
  ["closing", "Closing"],
] as const;

/** These were in the balance all the time: they stand there for information. */
const aside = new Set<string>(["rejected", "released"]);
const always = new Set<string>(["funded", "paid", "closing"]);

export function DaysTable({ purse: { days, currency } }: { purse: ReconciledPurse }) {
  if (days.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No money moved.
      </Text>
    );
  }
  const label = `Days, in ${currency}`;
  const shown = columns.filter(([name]) => always.has(name) || days.some((day) => day[name] !== 0));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section className={styles.frame} tabIndex={0} aria-label={label}>
      <Table className={styles.table ?? ""}>
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
              {shown.map(([name]) => (
                <Table.Td key={name} data-aside={aside.has(name) || undefined}>
                  {day[name] === 0 && name !== "closing" ? "–" : amountText(day[name], currency)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
