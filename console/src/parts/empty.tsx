// Nothing here yet: says so, and shows the line that would change it.

import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { CodeBlock } from "./code-block.tsx";
import styles from "./empty.module.css";

export function Empty({
  title,
  hint,
  line,
  action,
}: {
  title: string;
  hint?: ReactNode;
  /** A curl or command line that would fill it. */
  line?: string | undefined;
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
      {line && (
        <div className={styles.line}>
          <CodeBlock text={line} label="The line that fills this" />
        </div>
      )}
      {action}
    </Stack>
  );
}
