// Tells whether what is shown follows by itself, and how.

import { Tooltip } from "@mantine/core";
import { useIsReachable } from "../api/reachable.ts";
import type { Liveness } from "./live.ts";
import styles from "./shell.module.css";

const words: Record<Liveness, [word: string, meaning: string]> = {
  connecting: ["Connecting", "Connecting to the stream of changes"],
  live: ["Connected", "Changes are shown as they happen"],
  polling: ["Reconnecting", "The stream of changes is down: updated every 5 seconds"],
};
const offline = ["Offline", "The server can't be reached: data may be out of date"] as const;

export function LiveDot({ liveness }: { liveness: Liveness }) {
  const isReachable = useIsReachable();
  const [word, meaning] = isReachable ? words[liveness] : offline;
  return (
    <Tooltip label={meaning}>
      <span
        className={styles.live}
        data-liveness={isReachable ? liveness : "offline"}
        role="status"
      >
        <span className={styles.dot} aria-hidden />
        <span className={styles.liveWord}>{word}</span>
      </span>
    </Tooltip>
  );
}
