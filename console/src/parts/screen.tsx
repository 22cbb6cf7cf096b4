// A screen: heading (also the document's title), actions, content. A page of the navigation has its heading from there.

import { Group, Stack, Title } from "@mantine/core";
import { useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { pageAt, pageTitle } from "../shell/pages.ts";
import { searchedPages } from "../shell/search-items.ts";
import styles from "./screen.module.css";

export function Screen({
  title: own,
  above,
  beside,
  actions,
  children,
}: {
  /** Of one object, or of what the table of pages does not have. */
  title?: string;
  /** A line above the heading, such as a link back to the list. */
  above?: ReactNode;
  /** Next to the heading, such as a status. */
  beside?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  const { pathname } = useLocation();
  const page = pageAt(pathname, searchedPages);
  const title = own ?? (page ? pageTitle(page) : "");
  useEffect(() => {
    document.title = `${title} · Disburse`;
  }, [title]);
  return (
    <Stack gap="md" className={styles.screen}>
      <header className={styles.head}>
        <div className={styles.heading}>
          {above && <div className={styles.above}>{above}</div>}
          <Group gap="sm" align="center">
            <Title order={1}>{title}</Title>
            {beside}
          </Group>
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </header>
      {children}
    </Stack>
  );
}
