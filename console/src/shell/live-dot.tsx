// Tells whether what is shown follows by itself, and how.

import { Tooltip } from "@mantine/core";
import type { Liveness } from "./live.ts";
import styles from "./shell.module.css";

const words: Record<Liveness, [word: string, meaning: string]> = {
  connecting: ["Connecting", "Connecting to the live stream"],
  live: ["Live", "Live: changes are shown as they happen"],
  polling: ["Polling", "The live stream is down: asking every 5 seconds"],
};

export function LiveDot({ liveness }: { liveness: Liveness }) {
  const [word, meaning] = words[liveness];
  return (
    <Tooltip label={meaning}>
      <span className={styles.live} data-liveness={liveness} role="status">
        <span className={styles.dot} aria-hidden />
        <span className={styles.liveWord}>{word}</span>
      </span>
    </Tooltip>
  );
}
