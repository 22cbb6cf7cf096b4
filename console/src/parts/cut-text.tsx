// A text of any length on one line: what does not fit is cut with an ellipsis, and the tooltip has all of it.

import styles from "./cut-text.module.css";

export function CutText({ children, chars = 24 }: { children: string; chars?: number }) {
  return (
    <span className={styles.cut} title={children} style={{ maxWidth: `${chars}ch` }}>
      {children}
    </span>
  );
}
