// Rows of a file: the first ones, and more on demand.

import { Button, Group, Table, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import stacked from "../parts/stacked-table.module.css";
import styles from "./import.module.css";

const shownAtOnce = 50;

/** For tables whose cells have a `data-title`. */
export const stackedTable = `${stacked.stacked} ${styles.stacked}`;

export function RowsTable({
  label,
  head,
  rows,
  rest,
  pad = "sm",
  isStacked = false,
}: {
  label: string;
  head: ReactNode;
  rows: readonly ReactNode[];
  /** Says that the file has more rows than these. */
  rest?: string | undefined;
  pad?: "sm" | 0;
  /** On a phone each row is a block: its cells have a `data-title`. */
  isStacked?: boolean;
}) {
  const [shown, setShown] = useState(shownAtOnce);
  return (
    <>
      {/* A scrolling area must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <section className={styles.rows} aria-label={label} tabIndex={0}>
        <Table fz={13} stickyHeader className={isStacked ? stackedTable : ""}>
          <Table.Thead>
            <Table.Tr>{head}</Table.Tr>
          </Table.Thead>
          <Table.Tbody>{rows.slice(0, shown)}</Table.Tbody>
        </Table>
      </section>
      {(shown < rows.length || rest) && (
        <Group p={pad} pt="xs" gap="sm">
          {shown < rows.length && (
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => setShown(shown + 4 * shownAtOnce)}
            >
              Show more
            </Button>
          )}
          {rest && (
            <Text size="sm" c="dimmed">
              {rest}
            </Text>
          )}
        </Group>
      )}
    </>
  );
}
