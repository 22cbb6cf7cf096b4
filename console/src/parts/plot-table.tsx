// A plot as a table with the same figures, for screen readers and for users who want exact figures.

import { Table, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import styles from "./plot.module.css";

export type PlotRow = { key: string; head: ReactNode; cells: readonly ReactNode[] };

export function PlotTable({
  caption,
  heads,
  rows,
  isWhole = false,
}: {
  caption: string;
  /** The first names what the rows are. */
  heads: readonly string[];
  rows: readonly PlotRow[];
  /** As long as it is, instead of scrolling. */
  isWhole?: boolean;
}) {
  return (
    <section
      className={styles.tableFrame}
      data-whole={isWhole || undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
      tabIndex={0}
      aria-label={caption}
    >
      <Table className={styles.table ?? ""} stickyHeader>
        <VisuallyHidden component="caption">{caption}</VisuallyHidden>
        <Table.Thead>
          <Table.Tr>
            {heads.map((head) => (
              <Table.Th key={head} scope="col">
                {head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key, head, cells }) => (
            <Table.Tr key={key}>
              <Table.Th scope="row">{head}</Table.Th>
              {cells.map((cell, place) => (
                <Table.Td key={heads[place + 1]}>{cell}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
