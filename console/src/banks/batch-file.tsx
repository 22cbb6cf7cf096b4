// The lines of a bank file as a table with masked account numbers, and the file itself for those who approve it.

import { Button, Group, Stack, Tabs, Text } from "@mantine/core";
import type { BankBatchDetail, RawText, ShownFileLine } from "@server/console/banks/schema.ts";
import { useMutation } from "@tanstack/react-query";
import { send } from "../api/call.ts";
import { useMay } from "../api/me.ts";
import { usePage } from "../api/page.ts";
import { CodeBlock } from "../parts/code-block.tsx";
import { CutText } from "../parts/cut-text.tsx";
import { Empty } from "../parts/empty.tsx";
import { Money } from "../parts/money.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Problem } from "../parts/problem.tsx";
import { Status } from "../parts/status.tsx";
import { useTab } from "../state/tab.ts";
import { banksTexts } from "../texts/banks.ts";

export function BatchFile({ batch }: { batch: BankBatchDetail }) {
  const [tab, choose] = useTab(["table", "raw"]);
  const mayRead = useMay("banks.approve");
  return (
    <Tabs value={tab} keepMounted={false} onChange={choose}>
      <Tabs.List>
        <Tabs.Tab value="table">{banksTexts.asTable}</Tabs.Tab>
        <Tabs.Tab value="raw">{banksTexts.raw}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="table" pt="md">
        <Lines batch={batch} />
      </Tabs.Panel>
      <Tabs.Panel value="raw" pt="md">
        {mayRead ? (
          <Raw batch={batch} />
        ) : (
          <Text size="sm" c="dimmed">
            {banksTexts.rawForApprovers}
          </Text>
        )}
      </Tabs.Panel>
    </Tabs>
  );
}

const columns: Column<ShownFileLine>[] = [
  { key: "line", title: banksTexts.line, width: 64, cell: ({ line }) => line },
  {
    key: "receiver",
    title: banksTexts.receiver,
    isLink: true,
    phone: "lead",
    cell: (row) => <CutText>{row.receiver_name}</CutText>,
  },
  { key: "bank", title: banksTexts.bank, cell: ({ bank }) => bank },
  { key: "account", title: banksTexts.account, phone: "sub", cell: ({ account }) => account },
  {
    key: "reference",
    title: banksTexts.reference,
    phone: "sub-middle",
    cell: ({ reference }) => <CutText>{reference}</CutText>,
  },
  {
    key: "subaccount",
    title: banksTexts.subaccount,
    cell: (row) => <CutText>{row.subaccount_name}</CutText>,
  },
  {
    key: "status",
    title: banksTexts.status,
    phone: "sub-end",
    cell: ({ stage }) => <Status of="payout" value={stage} />,
  },
  {
    key: "amount",
    title: banksTexts.amount,
    align: "right",
    phone: "lead-end",
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
];

function Lines({ batch: { id } }: { batch: BankBatchDetail }) {
  const page = usePage<ShownFileLine>(["banks"], `/banks/batches/${id}/lines`);
  return (
    <PageTable
      label={banksTexts.lines}
      columns={columns}
      page={page}
      rowKey={({ line }) => String(line)}
      rowHref={(row) => `/s/${row.subaccount_id}/payouts/${row.payout_id}`}
      empty={<Empty title={banksTexts.noLines} />}
    />
  );
}

/** Loaded only when asked for, because each read is in the audit log. */
function Raw({ batch: { id, file_name } }: { batch: BankBatchDetail }) {
  const read = useMutation({
    mutationFn: (part: number) => send<RawText>("POST", `/banks/batches/${id}/raw`, { part }),
  });
  const { data } = read;
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {banksTexts.rawHint}
      </Text>
      <Problem error={read.error} />
      {data ? (
        <>
          <CodeBlock
            text={data.text}
            label={
              data.part > 0 || data.has_next
                ? `${file_name}, ${banksTexts.part(data.part + 1)}`
                : file_name
            }
            maxHeight={480}
          />
          <Group gap="xs">
            {data.part > 0 && (
              <Button variant="default" onClick={() => read.mutate(data.part - 1)}>
                {banksTexts.previousPart}
              </Button>
            )}
            {data.has_next && (
              <Button variant="default" onClick={() => read.mutate(data.part + 1)}>
                {banksTexts.nextPart}
              </Button>
            )}
          </Group>
        </>
      ) : (
        <Group>
          <Button variant="default" loading={read.isPending} onClick={() => read.mutate(0)}>
            {banksTexts.showRaw}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
