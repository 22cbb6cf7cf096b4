// A screen: heading (also the document's title), actions, content.

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
  /** A line above the heading, such as a link back to the list. */
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
