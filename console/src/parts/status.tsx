// A status as icon, word and colour, never as colour alone.

import { Tooltip, VisuallyHidden } from "@mantine/core";
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
  /** The reason: a tooltip, also read by screen readers. */
  title?: string | undefined;
  /** A note for developers: a tooltip that screen readers skip. */
  hint?: string | undefined;
}) {
  const { word, tone, icon: Icon } = statusLook(of, String(value));
  const status = (
    <span className={styles.status} data-tone={tone} data-explained={title ? true : undefined}>
      <Icon size={13} strokeWidth={2.2} aria-hidden />
      {word}
      {title && <VisuallyHidden>{`. ${title}`}</VisuallyHidden>}
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
