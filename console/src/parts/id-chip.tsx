// An ID that one click copies. Shortened, it keeps its start and its end: IDs of one day start alike.

import { CopyButton, Tooltip, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { partsTexts } from "../texts/parts.ts";
import { Check, Copy } from "./icons.tsx";
import styles from "./id-chip.module.css";

export function IdChip({
  id,
  short = false,
  shown = short ? shortOf(id) : id,
}: {
  id: string;
  short?: boolean;
  /** If it reads better in another form than the copied one. */
  shown?: string;
}) {
  return (
    <CopyButton value={id}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? partsTexts.copied : short ? `Copy ${id}` : partsTexts.copy}>
          <UnstyledButton
            className={styles.chip}
            onClick={(event) => {
              event.stopPropagation();
              copy();
            }}
          >
            <VisuallyHidden>{partsTexts.copy} </VisuallyHidden>
            <span className={styles.id}>{shown}</span>
            {copied ? (
              <Check size={12} className={styles.copied} aria-hidden />
            ) : (
              <Copy size={12} className={styles.icon} aria-hidden />
            )}
            <VisuallyHidden aria-live="polite">{copied ? partsTexts.copied : ""}</VisuallyHidden>
          </UnstyledButton>
        </Tooltip>
      )}
    </CopyButton>
  );
}

export function shortOf(id: string): string {
  return id.length > 14 ? `${id.slice(0, 4)}…${id.slice(-6)}` : id;
}
