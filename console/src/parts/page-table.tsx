// A list, page by page: rows that open by click or Enter, arrow keys between them, cards on a phone.

import { Button, Group, Skeleton, Table } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { ChevronLeft, ChevronRight } from "lucide-react";
import type { KeyboardEvent, MouseEvent, ReactNode } from "react";
import type { ListPage } from "../api/page.ts";
import styles from "./page-table.module.css";
import { Panel } from "./panel.tsx";
import { Problem } from "./problem.tsx";

export type Column<Row> = {
  key: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** Amounts and counts stand at the right. */
  align?: "right";
  width?: number | string;
  /** The one that holds the row's link; else the first. Its cell may hold no button of its own. */
  isLink?: boolean;
  /** Left out of the card on a phone. */
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
  /** What is listed, for those who can't see it. */
  label: string;
  columns: readonly Column<Row>[];
  page: ListPage<Row>;
  rowKey: (row: Row) => string;
  /** The address of a row's page, below /console. */
  rowHref?: ((row: Row) => string) | undefined;
  /** What a row is, read after what its link shows: links that all say "16 min ago" can't be told apart. */
  rowName?: ((row: Row) => string) | undefined;
  empty: ReactNode;
}) {
  const { rows, error, isStale, onNext, onPrevious, retry } = page;
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
                    href={rowHref?.(row)}
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
      {(onNext || onPrevious) && (
        <Group
          component="nav"
          aria-label="Pages"
          justify="flex-end"
          gap="xs"
          className={styles.foot}
        >
          <Button
            size="compact-sm"
            variant="default"
            disabled={!onPrevious}
            onClick={onPrevious}
            leftSection={<ChevronLeft size={14} aria-hidden />}
          >
            Previous
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            disabled={!onNext || isStale}
            onClick={onNext}
            rightSection={<ChevronRight size={14} aria-hidden />}
          >
            Next
          </Button>
        </Group>
      )}
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

/** A button in the row, or text that was just marked. */
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
