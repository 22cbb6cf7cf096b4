// Text to be read as it is, or copied: a command, a payload, a signed string.

import { ActionIcon, CopyButton, Tooltip } from "@mantine/core";
import { Check, Copy } from "lucide-react";
import styles from "./code-block.module.css";

export function CodeBlock({
  text,
  label,
  wrap = false,
  maxHeight,
}: {
  text: string;
  /** What it is, for those who can't see it, and shown above. */
  label?: string;
  wrap?: boolean;
  maxHeight?: number;
}) {
  return (
    <figure className={styles.block}>
      <div className={styles.head}>
        {label && <figcaption className={styles.label}>{label}</figcaption>}
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? "Copied" : "Copy"}>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                onClick={copy}
                aria-label={copied ? "Copied" : `Copy ${label ?? "text"}`}
              >
                {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <pre className={styles.text} data-wrap={wrap || undefined} style={{ maxHeight }} tabIndex={0}>
        {text}
      </pre>
    </figure>
  );
}
