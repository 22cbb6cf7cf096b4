// A time: relative, or to the second. The tooltip shows local time, UTC and milliseconds since the epoch.

import { Tooltip } from "@mantine/core";
import { useNow } from "../state/now.ts";
import {
  dateTimeText,
  exactText,
  offsetText,
  plannedText,
  plannedTimeText,
  relativeText,
  secondsText,
} from "../state/time.ts";
import { useZone } from "../state/zone.ts";
import styles from "./when.module.css";

export function When({
  ms,
  withSeconds = false,
  isPlanned = false,
  isDeadline = false,
  isDate = false,
}: {
  ms: number;
  withSeconds?: boolean;
  /** Something due, such as the next attempt: never in the past. */
  isPlanned?: boolean;
  /** After words such as "until" and "since": the date, time and zone, never "in 23 h". */
  isDeadline?: boolean;
  /** In a list of money, which is compared with a bank's: the date and time, never "2 h ago". */
  isDate?: boolean;
}) {
  const zone = useZone();
  const nowMs = useNow();
  const format = isDeadline
    ? plannedTimeText
    : withSeconds
      ? secondsText
      : isPlanned
        ? plannedText
        : isDate
          ? dateTimeText
          : relativeText;
  return (
    <Tooltip label={<Zones ms={ms} />} events={{ hover: true, focus: false, touch: true }}>
      <time dateTime={new Date(ms).toISOString()} className={styles.when}>
        {format(ms, nowMs, zone)}
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
      <dd>{`${ms} ms`}</dd>
    </dl>
  );
}
