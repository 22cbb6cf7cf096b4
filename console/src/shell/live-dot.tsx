// Shows whether the page receives live updates.

import { Tooltip } from "@mantine/core";
import { useIsReachable } from "../api/reachable.ts";
import type { Liveness } from "./live.ts";
import styles from "./shell.module.css";

const words: Record<Liveness, [word: string, meaning: string]> = {
  connecting: ["Connecting", "Connecting to live updates"],
  live: ["Connected", "Updates appear as they happen"],
  polling: ["Reconnecting", "Live updates are interrupted. The page refreshes every 5 seconds"],
};
const offline = ["Offline", "The server can't be reached. Data may be out of date"] as const;

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
