// The rows of an import that wait for a new receiver or account, each with what it waits for.

import { Stack, Table, Text } from "@mantine/core";
import type { PayoutBatchDetail } from "@server/doors/console/batches/schema.ts";
import { useApprover } from "../api/approver.ts";
import { usePageOf } from "../api/me.ts";
import { RowsTable } from "../imports/rows-table.tsx";
import { ApprovalsLink } from "../parts/approvals-link.tsx";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { Status } from "../parts/status.tsx";
import { countText } from "../state/locale.ts";
import { batchesTexts } from "../texts/batches.ts";
import { importsTexts } from "../texts/imports.ts";

const waitsFor = "Waits for";

export function WaitingRows({
  batch: { waiting_rows: rows, file },
}: {
  batch: Pick<PayoutBatchDetail, "waiting_rows" | "file">;
}) {
  const pageOf = usePageOf();
  const approver = useApprover("accounts.approve");
  const count = file?.waiting ?? rows.length;
  const isAccountAwaited = rows.some(({ state }) => state === "account_waits");
  return (
    <Panel title={batchesTexts.rowsWait(count)} flush>
      <Stack gap={4} p="md" pb="xs">
        <Text size="sm">
          {`A new receiver needs its identity check, and ${approver.within} has to approve a new account. Rows that are ready are then paid from here, after you confirm their totals. Each row is paid once, also if the file is imported again. Rows that wait are kept for 30 days.`}
        </Text>
        {isAccountAwaited && <ApprovalsLink kind="bank_change" />}
      </Stack>
      <RowsTable
        label={batchesTexts.waitingRows}
        isStacked
        head={
          <>
            <Table.Th ta="right">{importsTexts.row}</Table.Th>
            <Table.Th>{batchesTexts.receiver}</Table.Th>
            <Table.Th ta="right">{batchesTexts.amount}</Table.Th>
            <Table.Th>{batchesTexts.reference}</Table.Th>
            <Table.Th>{waitsFor}</Table.Th>
          </>
        }
        rows={rows.map(({ row, receiver_id, receiver, amount, currency, reference, state }) => (
          <Table.Tr key={row}>
            <Table.Td data-title={importsTexts.row} ta={{ base: "left", sm: "right" }}>
              {row}
            </Table.Td>
            <Table.Td data-title={batchesTexts.receiver}>
              <PageLink to={pageOf("receivers", receiver_id)}>{receiver || receiver_id}</PageLink>
            </Table.Td>
            <Table.Td data-title={batchesTexts.amount} ta={{ base: "left", sm: "right" }}>
              <Money amount={amount} currency={currency} />
            </Table.Td>
            <Table.Td data-title={batchesTexts.reference}>{reference || "–"}</Table.Td>
            <Table.Td data-title={waitsFor}>
              <Status of="waitingRow" value={state} />
            </Table.Td>
          </Table.Tr>
        ))}
        rest={
          rows.length < count
            ? `The first ${countText(rows.length)} of ${countText(count)}.`
            : undefined
        }
      />
    </Panel>
  );
}
