// The rows of a file that pay new receivers or to new accounts: what would be created, and the user's consent to it.

import { Button, Checkbox, Stack, Table, Text } from "@mantine/core";
import type { FileCheck } from "@server/doors/console/imports/schema.ts";
import { useApprover } from "../api/approver.ts";
import { RowsTable } from "../imports/rows-table.tsx";
import { Download } from "../parts/icons.tsx";
import { Money } from "../parts/money.tsx";
import { Panel } from "../parts/panel.tsx";
import { Status } from "../parts/status.tsx";
import { countText } from "../state/locale.ts";
import { saveFile } from "../state/save-file.ts";
import { countsText } from "../texts/imports.ts";
import { payoutsTexts } from "../texts/payouts.ts";

const waitsFor = "Waits for";

type Waiting = FileCheck["waiting"];

export function NewPayees({
  name,
  waiting: { count, receivers, accounts, rows, file },
  isAgreed,
  onAgree,
}: {
  /** Of the file. */
  name: string;
  waiting: Waiting;
  isAgreed: boolean;
  onAgree: (isAgreed: boolean) => void;
}) {
  const approver = useApprover("accounts.approve");
  const all = count === 1 ? "1 row is" : `${countText(count)} rows are`;
  return (
    <Panel
      title={`${all} paid later`}
      actions={
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Download size={14} aria-hidden />}
          onClick={() => saveFile(`${name}.later.csv`, new Blob([file], { type: "text/csv" }))}
        >
          Download these rows
        </Button>
      }
      flush
    >
      <Stack gap="sm" p="md" pb="xs">
        <Text size="sm">
          {receivers + accounts > 0
            ? `Their receivers or accounts are new. A new receiver needs an identity check, and ${approver.within} has to approve each new account. After that, the page of this import pays these rows, or import the same file again: each row is paid once.`
            : `Their receivers await the identity check, or their accounts approval by ${approver.within}. Import the same file again after that: rows that were paid are not paid again.`}
        </Text>
        {receivers + accounts > 0 && (
          <Checkbox
            checked={isAgreed}
            onChange={(event) => onAgree(event.currentTarget.checked)}
            label={`Create ${countsText({ receivers, accounts })}`}
            description="Compare the names and accounts below with your own records first"
          />
        )}
      </Stack>
      <RowsTable
        label="Rows that are paid later"
        isStacked
        head={
          <>
            <Table.Th>{payoutsTexts.row}</Table.Th>
            <Table.Th>{payoutsTexts.receiver}</Table.Th>
            <Table.Th ta="right">{payoutsTexts.amount}</Table.Th>
            <Table.Th>{payoutsTexts.bankAccount}</Table.Th>
            <Table.Th>{waitsFor}</Table.Th>
          </>
        }
        rows={rows.map((one) => <Row key={one.row} row={one} />)}
        rest={
          rows.length < count
            ? `The first ${countText(rows.length)} of ${countText(count)}.`
            : undefined
        }
      />
    </Panel>
  );
}

function Row({
  row: { row, name, email, account, amount, currency, needs, remarks },
}: {
  row: Waiting["rows"][number];
}) {
  return (
    <Table.Tr>
      <Table.Td data-title={payoutsTexts.row}>{row}</Table.Td>
      <Table.Td data-title={payoutsTexts.receiver}>
        <Text size="sm">{name}</Text>
        <Text size="xs" c="dimmed">
          {email}
        </Text>
      </Table.Td>
      <Table.Td data-title={payoutsTexts.amount} ta={{ base: "left", sm: "right" }}>
        <Money amount={amount} currency={currency} />
      </Table.Td>
      <Table.Td data-title={payoutsTexts.bankAccount}>{account}</Table.Td>
      <Table.Td data-title={waitsFor}>
        <Stack gap={2} align="flex-start">
          <Status of="newPayee" value={needs} />
          {remarks.map((remark) => (
            <Text key={remark} size="xs">
              {remark}
            </Text>
          ))}
        </Stack>
      </Table.Td>
    </Table.Tr>
  );
}
