// Tabs that are pages of their own.

import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import styles from "./page-tabs.module.css";

export function PageTabs({
  label,
  pages,
}: {
  /** For screen readers. */
  label: string;
  pages: readonly { to: string; label: string }[];
}) {
  const tabs = useRef<HTMLElement>(null);
  // The tabs can be wider than a phone: the current one is scrolled into view.
  useEffect(() => {
    const current = tabs.current?.querySelector<HTMLElement>("[aria-current]");
    if (tabs.current && current)
      tabs.current.scrollLeft = current.offsetLeft - tabs.current.offsetLeft;
  }, []);
  return (
    <nav ref={tabs} aria-label={label} className={styles.tabs}>
      {pages.map(({ to, label }) => (
        <Link key={to} to={to as never} activeOptions={{ exact: true, includeSearch: false }}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
