// Statements and notifications that banks sent, newest first.

import { Stack, Text } from "@mantine/core";
import type { BankStatement } from "@server/doors/console/statements/schema.ts";
import { usePage } from "../api/page.ts";
import { Empty } from "../parts/empty.tsx";
import { Money } from "../parts/money.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { When } from "../parts/when.tsx";
import { countText } from "../state/locale.ts";
import { calendarDayText } from "../state/time.ts";
import { statementsTexts } from "../texts/statements.ts";
import { ApplyStatement } from "./apply-statement.tsx";

/** Of one connection, or of all. */
export function StatementTable({ connectionId }: { connectionId?: string }) {
  const query = { connection_id: connectionId };
  const page = usePage<BankStatement>(["banks", "reconcile"], "/reconcile/statements", query);
  return (
    <PageTable
      label={statementsTexts.toStatements}
      columns={columns.filter(({ key }) => connectionId === undefined || key !== "bank")}
      page={page}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/reconcile/statements/${id}`}
      empty={
        <Empty
          title="No statements yet"
          hint="Apply a statement (camt.053, camt.054, BAI2 or CSV), or let the bank's folder be polled."
          action={<ApplyStatement {...(connectionId && { connectionId })} />}
        />
      }
    />
  );
}

export function statementTitle({ kind, to_day }: BankStatement): string {
  const day = calendarDayText(to_day);
  return kind === "statement" ? `Statement to ${day}` : `Notification to ${day}`;
}

export function periodText({ from_day, to_day }: BankStatement): string {
  const to = calendarDayText(to_day);
  return from_day === "" || from_day === to_day ? to : `${calendarDayText(from_day)} – ${to}`;
}

const columns: Column<BankStatement>[] = [
  {
    key: "statement",
    phone: "lead",
    title: statementsTexts.statement,
    isLink: true,
    cell: (row) => (
      <Stack gap={0}>
        <span>{statementTitle(row)}</span>
        {row.bank_id && (
          <Text span size="xs" c="dimmed">
            {row.bank_id}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    key: "bank",
    phone: "sub-middle",
    title: statementsTexts.bank,
    cell: ({ connection_name }) => connection_name,
  },
  { key: "period", phone: "sub", title: statementsTexts.period, cell: periodText },
  {
    key: "opening",
    title: statementsTexts.opening,
    align: "right",
    cell: ({ opening, currency }) =>
      opening === null ? "–" : <Money amount={opening} currency={currency} />,
  },
  {
    key: "closing",
    phone: "lead-end",
    title: statementsTexts.closing,
    align: "right",
    cell: ({ closing, currency }) =>
      closing === null ? "–" : <Money amount={closing} currency={currency} />,
  },
  {
    key: "lines",
    title: statementsTexts.lineCount,
    align: "right",
    cell: ({ lines }) => countText(lines),
  },
  {
    key: "repeated",
    title: statementsTexts.repeated,
    align: "right",
    cell: ({ repeated }) => countText(repeated),
  },
  {
    key: "received",
    phone: "sub-end",
    title: statementsTexts.received,
    align: "right",
    cell: ({ received_at }) => <When ms={received_at} isDate />,
  },
];
