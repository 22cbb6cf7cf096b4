// Past imports of payouts and receivers, and payout batches of the API: who, when, how much, and what became of them.

import { Stack, Text } from "@mantine/core";
import type { PayoutBatchLine } from "@server/doors/console/batches/schema.ts";
import { useApiOf, useMay, usePageOf, useSubaccount } from "../api/me.ts";
import { usePage } from "../api/page.ts";
import { Empty } from "../parts/empty.tsx";
import { FileUp } from "../parts/icons.tsx";
import { LinkButton } from "../parts/link-button.tsx";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Screen } from "../parts/screen.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { countText } from "../state/locale.ts";
import { whoText } from "../state/who.ts";
import { batchesTexts } from "../texts/batches.ts";
import { batchSumsOf } from "./batch.ts";
import { OutcomeBar } from "./outcome-bar.tsx";

const kindText = (kind: string) => batchesTexts.kinds[kind as keyof typeof batchesTexts.kinds];

const columns: readonly Column<PayoutBatchLine>[] = [
  {
    key: "created",
    phone: "sub",
    title: batchesTexts.created,
    isLink: true,
    cell: (row) => <When ms={row.created_at} isDate />,
  },
  {
    key: "source",
    phone: "lead",
    title: batchesTexts.source,
    cell: ({ kind, file }) => (
      <Stack gap={0}>
        <Text size="sm">{kindText(kind)}</Text>
        {file?.name && (
          <Text size="xs" c="dimmed">
            {file.name}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    key: "by",
    phone: "sub-middle",
    title: batchesTexts.createdBy,
    cell: ({ created_by, approved_by }) => (
      <Stack gap={0}>
        <Text size="sm">{whoText(created_by)}</Text>
        {approved_by.length > 0 && (
          <Text size="xs" c="dimmed">
            {batchesTexts.approvedBy} {approved_by.map(whoText).join(", ")}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    key: "total",
    phone: "lead-end",
    title: "Total",
    align: "right",
    cell: ({ stages, is_partial }) => {
      const sums = batchSumsOf(stages);
      if (sums.length === 0 || is_partial) return "–";
      return (
        <Stack gap={0} align="flex-end">
          {sums.map(({ currency, amount }) => (
            <Money key={currency} amount={amount.toString()} currency={currency} />
          ))}
        </Stack>
      );
    },
  },
  {
    key: "outcome",
    phone: "foot",
    title: batchesTexts.outcome,
    width: 300,
    cell: ({ stages, file, is_partial }) => (
      <Stack gap={6}>
        {file && file.state !== "done" && <Status of="fileImport" value={file.state} />}
        {file && (file.refused > 0 || stages.length === 0) && (
          <Text size="xs">
            {batchesTexts.fileRows(
              countText(file.created),
              countText(file.already_imported),
              countText(file.refused),
            )}
          </Text>
        )}
        {file && file.waiting > 0 && (
          <Text size="xs">
            {batchesTexts.rowsWait(file.waiting)}
            {file.waiting_ready > 0 && `, ${countText(file.waiting_ready)} can be paid now`}
          </Text>
        )}
        {batchSumsOf(stages).map((sum) => (
          <OutcomeBar key={sum.currency} sum={sum} />
        ))}
        {is_partial && (
          <Text size="xs" c="dimmed">
            Of the first 1,000 payouts. Open the batch for all of them.
          </Text>
        )}
      </Stack>
    ),
  },
];

export function BatchesScreen() {
  const { id, is_closed } = useSubaccount();
  const apiOf = useApiOf();
  const pageOf = usePageOf();
  const mayPay = useMay("payouts.create") && !is_closed;
  const mayWrite = useMay("receivers.write") && !is_closed;
  const page = usePage<PayoutBatchLine>([id, "payouts", "batches"], apiOf("/batches"), {});
  return (
    <Screen
      above={<PageLink to={pageOf("payouts")}>{batchesTexts.payouts}</PageLink>}
      actions={
        <>
          {mayPay && (
            <LinkButton to={pageOf("payouts", "import")} icon={FileUp}>
              Import payouts
            </LinkButton>
          )}
          {mayWrite && (
            <LinkButton to={pageOf("receivers", "import")} icon={FileUp}>
              Import receivers
            </LinkButton>
          )}
        </>
      }
    >
      <PageTable
        label={batchesTexts.batches}
        columns={columns}
        page={page}
        rowKey={(row) => row.id}
        rowHref={(row) => pageOf("batches", row.id)}
        rowName={(row) => [kindText(row.kind), row.file?.name].filter(Boolean).join(" ")}
        empty={
          <Empty
            title="No imports or batches yet"
            hint="Import a CSV file of payouts or receivers, or create a payout batch by the API."
          />
        }
      />
    </Screen>
  );
}
