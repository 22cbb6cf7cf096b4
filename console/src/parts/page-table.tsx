// A paginated table: rows open by click or Enter; arrow keys move between them, and J and K from anywhere on the page. Phones show rows of two lines, or
// cards where no column has a place in such a row.

import { Checkbox, Skeleton, Table, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import type { KeyboardEvent, MouseEvent, ReactNode } from "react";
import type { ListPage } from "../api/page.ts";
import { ArrowDown, ArrowUp, ChevronsUpDown } from "./icons.tsx";
import styles from "./page-table.module.css";
import { Pager } from "./pager.tsx";
import { Panel } from "./panel.tsx";
import { Problem } from "./problem.tsx";
import type { Selection } from "./selection.ts";
import { nextSort, type Sorting } from "./sorting.ts";
import stacked from "./stacked-table.module.css";

export type Column<Row> = {
  key: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** For amounts and counts. */
  align?: "right";
  width?: number | string;
  /** This column holds the row's link (default: the first). Its cell may not contain a button. */
  isLink?: boolean;
  /** Hidden on phones that show cards. */
  wideOnly?: boolean;
  /** The place in the two lines of a phone's row, or below them. Columns without one are hidden there. */
  phone?: "lead" | "lead-end" | "sub" | "sub-middle" | "sub-end" | "foot" | "menu";
  /** Shown only if a user chooses it. */
  isExtra?: boolean;
  /** The name of its sort, with a minus where the largest or newest comes first. */
  sort?: string;
};

export function PageTable<Row extends object>({
  label,
  columns,
  page,
  rowKey,
  rowHref,
  rowName,
  empty,
  sorting,
  selection,
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
  sorting?: Sorting | undefined;
  selection?: Selection<Row> | undefined;
}) {
  const { rows, error, isStale, retry } = page;
  if (error && !rows) return <Problem error={error} onRetry={retry} />;
  const isEmpty = rows?.length === 0;
  const isCompact = columns.some(({ phone }) => phone);
  return (
    <Panel flush>
      {isEmpty ? (
        empty
      ) : (
        <div className={styles.frame} data-stale={isStale || undefined} data-walked>
          <Table
            className={`${styles.table} ${stacked.stacked}`}
            aria-label={label}
            aria-busy={!rows || isStale}
            data-compact={isCompact || undefined}
          >
            <Table.Thead>
              <Table.Tr>
                {selection && (
                  <Table.Th w={36}>
                    <SelectAll selection={selection} rows={rows ?? []} />
                  </Table.Th>
                )}
                {columns.map((column) => (
                  <Head key={column.key} column={column} sorting={sorting} />
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
                    selection={selection}
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

function Head<Row>({
  column: { title, align, width, sort },
  sorting,
}: {
  column: Column<Row>;
  sorting: Sorting | undefined;
}) {
  const by = sort?.replace("-", "");
  const current = sorting?.value ?? "";
  const isSorted = by !== undefined && current.replace("-", "") === by;
  const isDescending = current.startsWith("-");
  const Icon = !isSorted ? ChevronsUpDown : isDescending ? ArrowDown : ArrowUp;
  return (
    <Table.Th
      ta={align ?? "left"}
      {...(width ? { w: width } : {})}
      {...(isSorted ? { "aria-sort": isDescending ? "descending" : "ascending" } : {})}
    >
      {sorting && sort ? (
        <UnstyledButton
          className={styles.sort}
          data-sorted={isSorted || undefined}
          title={`Sort by ${title}`}
          onClick={() => sorting.onChange(nextSort(current, sort))}
        >
          {title}
          <Icon size={12} aria-hidden />
        </UnstyledButton>
      ) : (
        title
      )}
    </Table.Th>
  );
}

function SelectAll<Row>({ selection, rows }: { selection: Selection<Row>; rows: readonly Row[] }) {
  const count = rows.filter(selection.has).length;
  const isAll = count > 0 && count === rows.length;
  return (
    <Checkbox
      size="xs"
      aria-label="Select all rows of this page"
      checked={isAll}
      indeterminate={count > 0 && !isAll}
      onChange={() => selection.set(rows, !isAll)}
    />
  );
}

function RowLine<Row>({
  row,
  columns,
  href,
  name,
  selection,
}: {
  row: Row;
  columns: readonly Column<Row>[];
  href: string | undefined;
  name: string | undefined;
  selection: Selection<Row> | undefined;
}) {
  const navigate = useNavigate();
  const linked = columns.find(({ isLink }) => isLink) ?? columns[0];
  const open = (event: MouseEvent<HTMLElement>) => {
    if (!href || isAboutSomethingElse(event)) return;
    if (event.metaKey || event.ctrlKey) window.open(`/console${href}`, "_blank", "noopener");
    else void navigate({ to: href as never });
  };
  return (
    <Table.Tr
      data-opens={href ? true : undefined}
      data-selected={selection?.has(row) || undefined}
      onClick={open}
    >
      {selection && (
        <Table.Td data-phone="pick">
          <Checkbox
            size="xs"
            aria-label={`Select ${name ?? ""}`}
            checked={selection.has(row)}
            disabled={selection.isFull && !selection.has(row)}
            onChange={() => selection.set([row], !selection.has(row))}
          />
        </Table.Td>
      )}
      {columns.map((column) => (
        <Table.Td
          key={column.key}
          data-align={column.align}
          data-title={column.title}
          data-wide-only={column.wideOnly || undefined}
          data-phone={column.phone}
        >
          {href && column === linked ? (
            <Link
              to={href as never}
              className={styles.link}
              data-row-link
              onKeyDown={moveBetweenRows}
            >
              {column.cell(row)}
              {name && <VisuallyHidden>, {name}</VisuallyHidden>}
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
  const down = event.key === "ArrowDown";
  const up = event.key === "ArrowUp";
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
      {columns.map(({ key, title, phone }) => (
        <Table.Td key={key} data-title={title} data-phone={phone}>
          <Skeleton height={12} width={`${50 + ((line * 17) % 40)}%`} my={4} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}
