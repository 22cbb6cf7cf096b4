// Labels with values: the details of one object.

import type { ReactNode } from "react";
import styles from "./facts.module.css";

type Fact = { label: string; value: ReactNode };

/** An empty value is shown as a dash. `false` leaves an item out. */
export function Facts({ items }: { items: readonly (Fact | false | undefined | null)[] }) {
  return (
    <dl className={styles.facts}>
      {items.map(
        (item) =>
          item && (
            <div key={item.label} className={styles.fact}>
              <dt>{item.label}</dt>
              <dd>{isNothing(item.value) ? <span className={styles.none}>–</span> : item.value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function isNothing(value: ReactNode): boolean {
  return value === null || value === undefined || value === "" || value === false;
}
