// Horizontal bars with names and counts, for a few values to compare. Without the chart library.

import { PageLink } from "../parts/page-link.tsx";
import { countText } from "../state/locale.ts";
import styles from "./overview.module.css";

type Bar = {
  name: string;
  count: number;
  isMore?: boolean;
  to?: string | undefined;
  tone?: "paid" | "pending" | "failed" | "plain";
};

export function Bars({ bars, label }: { bars: readonly Bar[]; label: string }) {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return (
    <ul className={styles.bars} aria-label={label}>
      {bars.map(({ name, count, isMore, to, tone = "plain" }) => (
        <li key={name}>
          <span className={styles.barName}>{to ? <PageLink to={to}>{name}</PageLink> : name}</span>
          <span className={styles.barTrack} aria-hidden>
            {count > 0 && (
              <span
                className={styles.bar}
                data-tone={tone}
                style={{ width: `${(count / most) * 100}%` }}
              />
            )}
          </span>
          <span className={styles.barCount}>{countText(count, isMore)}</span>
        </li>
      ))}
    </ul>
  );
}
