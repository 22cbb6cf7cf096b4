// A state as icon, word and colour: the colour alone never tells it.

import { Tooltip } from "@mantine/core";
import styles from "./status.module.css";
import { type LookOf, statusLook } from "./status-looks.ts";

export type { LookOf };

export function Status({
  of,
  value,
  title,
  hint,
}: {
  of: LookOf;
  value: string | number;
  /** Why, shown when pointed at, and read aloud. */
  title?: string | undefined;
  /** An aside for developers, shown when pointed at and not read aloud. */
  hint?: string | undefined;
}) {
  const { word, tone, icon: Icon } = statusLook(of, String(value));
  const status = (
    <span className={styles.status} data-tone={tone} data-explained={title ? true : undefined}>
      <Icon size={13} strokeWidth={2.2} aria-hidden />
      {word}
      {title && <span className={styles.said}>{`. ${title}`}</span>}
    </span>
  );
  const shown = title ?? hint;
  return shown ? (
    <Tooltip label={shown} maw={360}>
      {status}
    </Tooltip>
  ) : (
    status
  );
}
