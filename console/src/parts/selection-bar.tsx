// What is selected in a list, its sum, and what can be done with it. It stays at the bottom of the window.

import { CloseButton, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { countText } from "../state/locale.ts";
import { type Selection, selectedMax } from "./selection.ts";
import styles from "./selection-bar.module.css";

export function SelectionBar<Row>({
  selection,
  sum,
  children,
}: {
  selection: Selection<Row>;
  sum?: string;
  children: ReactNode;
}) {
  const count = selection.rows.length;
  return (
    <div className={styles.place} aria-live="polite">
      {count > 0 && (
        <section className={styles.bar} aria-label="Selection">
          <Group gap="xs" wrap="nowrap" className={styles.what}>
            <CloseButton size="sm" aria-label="Clear selection" onClick={selection.clear} />
            <Text size="sm" span>
              <strong>{`${countText(count)} selected`}</strong>
              {sum && <span className={styles.sum}>{sum}</span>}
              {selection.isFull && (
                <span
                  className={styles.sum}
                >{`At most ${countText(selectedMax)} rows can be selected`}</span>
              )}
            </Text>
          </Group>
          <Group gap="xs">{children}</Group>
        </section>
      )}
    </div>
  );
}
