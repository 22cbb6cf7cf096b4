// A paginated table: rows open by click or Enter, arrow keys move between them, and phones show cards.

import { Skeleton, Table } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import type { KeyboardEvent, MouseEvent, ReactNode } from "react";
import type { ListPage } from "../api/page.ts";
import styles from "./page-table.module.css";
import { Pager } from "./pager.tsx";
import { Panel } from "./panel.tsx";
import { Problem } from "./problem.tsx";

export type Column<Row> = {
  key: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** For amounts and counts. */
  align?: "right";
  width?: number | string;
  /** This column holds the row's link (default: the first). Its cell may not contain a button. */
  isLink?: boolean;
  /** Hidden on phones. */
  wideOnly?: boolean;
};

export function PageTable<Row extends object>({
  label,
  columns,
  page,
  rowKey,
  rowHref,
  rowName,
  empty,
}: {
  /** For screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  page: ListPage<Row>;
  rowKey: (row: Row) => string;
  /** The address of a row's page, below /console. */
  rowHref?: ((row: Row) => string | undefined | null) | undefined;
  /** Read after the text of a row's link, so that links that say "16 min ago" can be distinguished. */
  rowName?: ((row: Row) => string) | undefined;
  empty: ReactNode;
}) {
  const { rows, error, isStale, retry } = page;
  if (error && !rows) return <Problem error={error} onRetry={retry} />;
  const isEmpty = rows?.length === 0;
  return (
    <Panel flush>
      {isEmpty ? (
        empty
      ) : (
        <div className={styles.frame} data-stale={isStale || undefined}>
          <Table className={styles.table} aria-label={label} aria-busy={!rows || isStale}>
            <Table.Thead>
              <Table.Tr>
                {columns.map(({ key, title, align, width }) => (
                  <Table.Th key={key} ta={align ?? "left"} {...(width ? { w: width } : {})}>
                    {title}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows ? (
                rows.map((row) => (
                  <RowLine
                    key={rowKey(row)}
                    row={row}
                    columns={columns}
                    href={rowHref?.(row) ?? undefined}
                    name={rowName?.(row)}
                  />
                ))
              ) : (
                <Skeletons columns={columns} />
              )}
            </Table.Tbody>
          </Table>
        </div>
      )}
      <Pager page={page} className={styles.foot} />
    </Panel>
  );
}

function RowLine<Row>({
  row,
  columns,
  href,
  name,
}: {
  row: Row;
  columns: readonly Column<Row>[];
  href: string | undefined;
  name: string | undefined;
}) {
  const navigate = useNavigate();
  const linked = columns.find(({ isLink }) => isLink) ?? columns[0];
  const open = (event: MouseEvent<HTMLElement>) => {
    if (!href || isAboutSomethingElse(event)) return;
    if (event.metaKey || event.ctrlKey) window.open(`/console${href}`, "_blank", "noopener");
    else void navigate({ to: href as never });
  };
  return (
    <Table.Tr data-opens={href ? true : undefined} onClick={open}>
      {columns.map((column) => (
        <Table.Td
          key={column.key}
          ta={column.align ?? "left"}
          data-title={column.title}
          data-wide-only={column.wideOnly || undefined}
        >
          {href && column === linked ? (
            <Link to={href as never} className={styles.link} onKeyDown={moveBetweenRows}>
              {column.cell(row)}
              {name && <span className={styles.said}>, {name}</span>}
            </Link>
          ) : (
            column.cell(row)
          )}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

/** A click on a control in the row, or a selection of text. */
function isAboutSomethingElse({ target }: MouseEvent<HTMLElement>): boolean {
  const isControl = (target as HTMLElement).closest("a, button, input, label, [role=menuitem]");
  return isControl !== null || window.getSelection()?.isCollapsed === false;
}

function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const down = event.key === "ArrowDown" || event.key === "j";
  const up = event.key === "ArrowUp" || event.key === "k";
  if (!(down || up) || event.metaKey || event.ctrlKey || event.altKey) return;
  const row = event.currentTarget.closest("tr");
  const next = down ? row?.nextElementSibling : row?.previousElementSibling;
  const link = next?.querySelector<HTMLElement>(`.${styles.link}`);
  if (!link) return;
  event.preventDefault();
  link.focus();
}

function Skeletons<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return [0, 1, 2, 3, 4, 5].map((line) => (
    <Table.Tr key={line}>
      {columns.map(({ key, title }) => (
        <Table.Td key={key} data-title={title}>
          <Skeleton height={12} width={`${50 + ((line * 17) % 40)}%`} my={4} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}
