// Closed months of bank connections, with their documents.

import { Anchor, Group, Stack, Text } from "@mantine/core";
import type { BankClosing } from "@server/doors/console/statements/schema.ts";
import { addressOf } from "../api/call.ts";
import { usePage } from "../api/page.ts";
import { Empty } from "../parts/empty.tsx";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { When } from "../parts/when.tsx";
import type { Sum } from "../state/money.ts";
import { monthText } from "../state/months.ts";
import { whoText } from "../state/who.ts";
import { statementsTexts } from "../texts/statements.ts";

/** Of one connection, or of all. */
export function ClosingTable({ connectionId }: { connectionId?: string }) {
  const query = { connection_id: connectionId };
  const page = usePage<BankClosing>(["banks", "reconcile"], "/reconcile/closings", query);
  return (
    <PageTable
      label={statementsTexts.toClosings}
      columns={columns.filter(({ key }) => connectionId === undefined || key !== "bank")}
      page={page}
      rowKey={({ connection_id, month }) => `${connection_id} ${month}`}
      empty={
        <Empty
          title="No month is closed yet"
          hint="A month can be closed when the books meet the bank."
        />
      }
    />
  );
}

const moneyColumn = (key: "books" | "bank" | "in_transit", title: string): Column<BankClosing> => ({
  key: `${key}-amount`,
  title,
  align: "right",
  cell: (row) => <Money amount={row[key] as Sum} currency={row.currency} />,
});

const columns: Column<BankClosing>[] = [
  { key: "month", title: "Month", cell: ({ month }) => monthText(month) },
  {
    key: "bank",
    title: statementsTexts.bank,
    cell: ({ connection_id, connection_name }) => (
      <PageLink to={`/reconcile/banks/${connection_id}`}>{connection_name}</PageLink>
    ),
  },
  moneyColumn("books", statementsTexts.books),
  moneyColumn("bank", statementsTexts.bank),
  moneyColumn("in_transit", statementsTexts.inTransitItems),
  {
    key: "closed",
    title: "Closed",
    cell: ({ closed_at, closed_by }) => (
      <Stack gap={0}>
        <When ms={closed_at} isDate />
        <Text span size="xs" c="dimmed">
          {statementsTexts.by(whoText(closed_by))}
        </Text>
      </Stack>
    ),
  },
  {
    key: "documents",
    title: "Documents",
    align: "right",
    cell: (row) => (
      <Group gap="sm" wrap="nowrap" justify="flex-end">
        {(["pdf", "csv"] as const).map((kind) => (
          <Anchor
            key={kind}
            inherit
            href={addressOf(`/reconcile/banks/${row.connection_id}/closings/${row.month}/${kind}`)}
            download
            title={`SHA-256 ${row[`${kind}_sha256`]}`}
            aria-label={`${statementsTexts[kind]} of ${monthText(row.month)}, ${row.connection_name}`}
          >
            {statementsTexts[kind]}
          </Anchor>
        ))}
      </Group>
    ),
  },
];
