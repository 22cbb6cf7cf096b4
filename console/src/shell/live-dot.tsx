// Shows whether the page receives live updates.

import { Tooltip } from "@mantine/core";
import { useIsReachable } from "../api/reachable.ts";
import { shellTexts } from "../texts/shell.ts";
import type { Liveness } from "./live.ts";
import styles from "./shell.module.css";

const words: Record<Liveness, [word: string, meaning: string]> = {
  connecting: [shellTexts.connecting, shellTexts.connectingToLiveUpdates],
  live: [shellTexts.connected, shellTexts.updatesAppearAsTheyHappen],
  polling: [shellTexts.reconnecting, shellTexts.liveUpdatesAreInterruptedThePage],
};
const offline = [shellTexts.offline, shellTexts.theServerCantBeReachedData] as const;

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
