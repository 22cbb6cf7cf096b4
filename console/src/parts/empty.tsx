// An empty state: a title, a hint, and an action that fills it.

import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import styles from "./empty.module.css";

export function Empty({
  title,
  hint,
  action,
}: {
  title: string;
  hint?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <Stack gap="sm" align="center" className={styles.empty}>
      <Text fw={600}>{title}</Text>
      {hint && (
        <Text size="sm" c="dimmed" maw={480} ta="center">
          {hint}
        </Text>
      )}
      {action}
    </Stack>
  );
}
