// Text to read or copy as it is: a command, a payload, a signed string.

import { ActionIcon, CopyButton, Tooltip } from "@mantine/core";
import { partsTexts } from "../texts/parts.ts";
import styles from "./code-block.module.css";
import { Check, Copy } from "./icons.tsx";

export function CodeBlock({
  text,
  label,
  wrap = false,
  maxHeight,
}: {
  text: string;
  /** Shown above, and read by screen readers. */
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
            <Tooltip label={copied ? partsTexts.copied : partsTexts.copy}>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                onClick={copy}
                aria-label={copied ? partsTexts.copied : `Copy ${label ?? "text"}`}
              >
                {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
      <pre className={styles.text} data-wrap={wrap || undefined} style={{ maxHeight }} tabIndex={0}>
        {text}
      </pre>
    </figure>
  );
}
