// One entry of the timeline of a bank file or a suspense item: what a user did, and when.

import type { ReactNode } from "react";
import { When } from "../parts/when.tsx";
import styles from "./banks.module.css";

export function TimelineEntryLine({
  title,
  detail,
  at,
  children,
}: {
  title: string | undefined;
  detail: string;
  at: number;
  children?: ReactNode;
}) {
  return (
    <li className={styles.entry}>
      <span>
        <strong>{title}</strong> <span className={styles.quiet}>{detail}</span> {children}
      </span>
      <span className={styles.quiet}>
        <When ms={at} withSeconds />
      </span>
    </li>
  );
}
