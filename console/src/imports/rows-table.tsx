// Rows of a file: the first ones, and more on demand.

import { Button, Group, Table, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import styles from "./import.module.css";

const shownAtOnce = 50;

export function RowsTable({
  label,
  head,
  rows,
  rest,
  pad = "sm",
}: {
  label: string;
  head: ReactNode;
  rows: readonly ReactNode[];
  /** Says that the file has more rows than these. */
  rest?: string | undefined;
  pad?: "sm" | 0;
}) {
  const [shown, setShown] = useState(shownAtOnce);
  return (
    <>
      {/* A scrolling area must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <section className={styles.rows} aria-label={label} tabIndex={0}>
        <Table fz={13} stickyHeader>
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
