// The lines of a bank file as a table with masked account numbers, and the file itself for those who approve it.

import { Button, Group, Stack, Tabs, Text } from "@mantine/core";
import type { RawText } from "@server/banking/files/schema.ts";
import type { BankBatchDetail, ShownFileLine } from "@server/doors/console/banks/schema.ts";
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
        <Tabs.Tab value="table">Table</Tabs.Tab>
        <Tabs.Tab value="raw">Raw</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="table" pt="md">
        <Lines batch={batch} />
      </Tabs.Panel>
      <Tabs.Panel value="raw" pt="md">
        {mayRead ? (
          <Raw batch={batch} />
        ) : (
          <Text size="sm" c="dimmed">
            Only users who may approve bank files can read the raw file.
          </Text>
        )}
      </Tabs.Panel>
    </Tabs>
  );
}

const columns: Column<ShownFileLine>[] = [
  { key: "line", title: "Line", width: 64, cell: ({ line }) => line },
  {
    key: "receiver",
    title: "Receiver",
    isLink: true,
    phone: "lead",
    cell: (row) => <CutText>{row.receiver_name}</CutText>,
  },
  { key: "bank", title: banksTexts.bank, cell: ({ bank }) => bank },
  { key: "account", title: banksTexts.account, phone: "sub", cell: ({ account }) => account },
  {
    key: "reference",
    title: "Reference",
    phone: "sub-middle",
    cell: ({ reference }) => <CutText>{reference}</CutText>,
  },
  {
    key: "subaccount",
    title: "Subaccount",
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
    title: "Amount",
    align: "right",
    phone: "lead-end",
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
];

function Lines({ batch: { id } }: { batch: BankBatchDetail }) {
  const page = usePage<ShownFileLine>(["banks"], `/banks/batches/${id}/lines`);
  return (
    <PageTable
      label="Lines"
      columns={columns}
      page={page}
      rowKey={({ line }) => String(line)}
      rowHref={(row) => `/s/${row.subaccount_id}/payouts/${row.payout_id}`}
      empty={<Empty title="No lines" />}
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
        The file as the bank receives it, with whole account numbers. The audit log records that you
        read it. After that, discarding the file takes two users.
      </Text>
      <Problem error={read.error} />
      {data ? (
        <>
          <CodeBlock
            text={data.text}
            label={
              data.part > 0 || data.has_next ? `${file_name}, Part ${data.part + 1}` : file_name
            }
            maxHeight={480}
          />
          <Group gap="xs">
            {data.part > 0 && (
              <Button variant="default" onClick={() => read.mutate(data.part - 1)}>
                Previous part
              </Button>
            )}
            {data.has_next && (
              <Button variant="default" onClick={() => read.mutate(data.part + 1)}>
                Next part
              </Button>
            )}
          </Group>
        </>
      ) : (
        <Group>
          <Button variant="default" loading={read.isPending} onClick={() => read.mutate(0)}>
            Show raw file
          </Button>
        </Group>
      )}
    </Stack>
  );
}
