// An empty state: a title, a hint, and a command or an action that fills it.

import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { partsTexts } from "../texts/parts.ts";
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
  /** A command that fills it. */
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
          <CodeBlock text={line} label={partsTexts.orFromTheCommandLine} />
        </div>
      )}
      {action}
    </Stack>
  );
}
