// An id that one click copies. Shown short, it keeps its beginning and its end: ids of one day begin alike.

import { CopyButton, Tooltip, UnstyledButton } from "@mantine/core";
import { Check, Copy } from "lucide-react";
import styles from "./id-chip.module.css";

export function IdChip({ id, short = false }: { id: string; short?: boolean }) {
  return (
    <CopyButton value={id}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? "Copied" : short ? `Copy ${id}` : "Copy"}>
          <UnstyledButton
            className={styles.chip}
            onClick={(event) => {
              event.stopPropagation();
              copy();
            }}
          >
            <span className={styles.said}>Copy </span>
            <span className={styles.id}>{short ? shortOf(id) : id}</span>
            {copied ? (
              <Check size={12} className={styles.copied} aria-hidden />
            ) : (
              <Copy size={12} className={styles.icon} aria-hidden />
            )}
            <span className={styles.said} aria-live="polite">
              {copied ? "Copied" : ""}
            </span>
          </UnstyledButton>
        </Tooltip>
      )}
    </CopyButton>
  );
}

export function shortOf(id: string): string {
  return id.length > 14 ? `${id.slice(0, 4)}…${id.slice(-6)}` : id;
}
