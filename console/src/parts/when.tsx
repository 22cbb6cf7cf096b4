// A time: relative, or by the second. Pointing at it tells local time, UTC and milliseconds since the epoch.

import { Tooltip } from "@mantine/core";
import { useNow } from "../state/now.ts";
import { exactText, offsetText, relativeText, secondsText } from "../state/time.ts";
import { useZone } from "../state/zone.ts";
import styles from "./when.module.css";

export function When({ ms, withSeconds = false }: { ms: number; withSeconds?: boolean }) {
  const zone = useZone();
  const nowMs = useNow();
  const text = withSeconds ? secondsText(ms, nowMs, zone) : relativeText(ms, nowMs, zone);
  return (
    <Tooltip label={<Zones ms={ms} />} events={{ hover: true, focus: false, touch: true }}>
      <time dateTime={new Date(ms).toISOString()} className={styles.when}>
        {text}
      </time>
    </Tooltip>
  );
}

function Zones({ ms }: { ms: number }) {
  return (
    <dl className={styles.zones}>
      <dt>Local</dt>
      <dd>
        {exactText(ms, "local")} {offsetText(ms)}
      </dd>
      <dt>UTC</dt>
      <dd>{exactText(ms, "utc")}</dd>
      <dt>Epoch</dt>
      <dd>{ms} ms</dd>
    </dl>
  );
}
