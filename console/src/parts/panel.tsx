// A section of a screen with a heading.

import { Group, Paper, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import styles from "./panel.module.css";

export function Panel({
  title,
  actions,
  children,
  flush = false,
  plain = false,
}: {
  title?: string;
  actions?: ReactNode;
  children: ReactNode;
  /** Without padding: for a table. */
  flush?: boolean;
  /** Without a frame: what is inside has a shape of its own, such as a chart. */
  plain?: boolean;
}) {
  const id = useId();
  return (
    <Paper
      component="section"
      className={styles.panel}
      withBorder={!plain}
      data-plain={plain || undefined}
      aria-labelledby={title && id}
    >
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
