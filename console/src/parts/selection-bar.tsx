// What is selected in a list, its sum, and what can be done with it. It stays at the bottom of the window.

import { CloseButton, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { listsTexts } from "../texts/lists.ts";
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
        <section className={styles.bar} aria-label={listsTexts.selection}>
          <Group gap="xs" wrap="nowrap" className={styles.what}>
            <CloseButton
              size="sm"
              aria-label={listsTexts.clearSelection}
              onClick={selection.clear}
            />
            <Text size="sm" span>
              <strong>{listsTexts.selected(count)}</strong>
              {sum && <span className={styles.sum}>{sum}</span>}
              {selection.isFull && (
                <span className={styles.sum}>{listsTexts.selectionIsFull(selectedMax)}</span>
              )}
            </Text>
          </Group>
          <Group gap="xs">{children}</Group>
        </section>
      )}
    </div>
  );
}
