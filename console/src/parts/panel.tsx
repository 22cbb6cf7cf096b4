// A bordered section of a screen with a heading.

import { Group, Paper, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import styles from "./panel.module.css";

export function Panel({
  title,
  actions,
  children,
  flush = false,
}: {
  title?: string;
  actions?: ReactNode;
  children: ReactNode;
  /** Without padding: for a table. */
  flush?: boolean;
}) {
  const id = useId();
  return (
    <Paper component="section" className={styles.panel} aria-labelledby={title && id}>
      {(title || actions) && (
        <Group justify="space-between" className={styles.head}>
          {title && (
            <Title order={2} id={id} fz="sm">
              {title}
            </Title>
          )}
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
      )}
      <div className={styles.body} data-flush={flush || undefined}>
        {children}
      </div>
    </Paper>
  );
}
