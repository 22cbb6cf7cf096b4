// A screen: its heading, which is also the document's title, what can be done on it, and the rest.

import { Group, Stack, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import styles from "./screen.module.css";

export function Screen({
  title,
  above,
  beside,
  actions,
  children,
}: {
  title: string;
  /** A line above the heading, such as the way back to the list. */
  above?: ReactNode;
  /** Next to the heading, such as a status. */
  beside?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Disburse`;
  }, [title]);
  return (
    <Stack gap="md" className={styles.screen}>
      <header className={styles.head}>
        <div className={styles.heading}>
          {above && <div className={styles.above}>{above}</div>}
          <Group gap="sm" align="center">
            <Title order={1}>{title}</Title>
            {beside}
          </Group>
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </header>
      {children}
    </Stack>
  );
}
