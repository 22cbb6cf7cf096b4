// One import or payout batch: its facts, its sums by outcome, its rows, and what can be done with all of them.

import { Alert, Stack, Table, Text } from "@mantine/core";
import type { PayoutBatchDetail } from "@server/doors/console/batches/schema.ts";
import type { PayoutLine } from "@server/doors/console/payouts/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { get } from "../api/call.ts";
import { useApiOf, usePageOf, useSubaccount } from "../api/me.ts";
import { usePage } from "../api/page.ts";
import { RowsTable } from "../imports/rows-table.tsx";
import { Empty } from "../parts/empty.tsx";
import { Facts } from "../parts/facts.tsx";
import { IdChip } from "../parts/id-chip.tsx";
import { MetadataPanel } from "../parts/metadata-panel.tsx";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Panel } from "../parts/panel.tsx";
import { Screen } from "../parts/screen.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { LoadingScreen } from "../shell/page-states.tsx";
import { countText } from "../state/locale.ts";
import { whoText } from "../state/who.ts";
import { batchesTexts } from "../texts/batches.ts";
import { batchOutcomes, batchSumsOf } from "./batch.ts";
import { PayoutBatchActions } from "./batch-actions.tsx";
import { OutcomeBar } from "./outcome-bar.tsx";
import { WaitingRows } from "./waiting-rows.tsx";

const runningMs = 1_000;

export function PayoutBatchScreen() {
  const { batchId = "" } = useParams({ strict: false });
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const pageOf = usePageOf();
  const path = apiOf(`/batches/${encodeURIComponent(batchId)}`);
  const { data, error, refetch } = useQuery({
    queryKey: [id, "payouts", "batch", batchId],
    queryFn: ({ signal }) => get<PayoutBatchDetail>(path, {}, signal),
    refetchInterval: ({ state }) => (state.data?.file?.state === "running" ? runningMs : false),
  });
  const back = <PageLink to={pageOf("batches")}>{batchesTexts.batches}</PageLink>;
  if (!data) {
    return (
      <LoadingScreen title={batchesTexts.batch} above={back} error={error} onRetry={refetch} />
    );
  }
  return (
    <Screen
      title={data.file?.name || titleOf(data)}
      above={back}
      beside={data.file && <Status of="fileImport" value={data.file.state} />}
      actions={<PayoutBatchActions batch={data} onDone={() => void refetch()} />}
    >
      {data.file?.state === "stopped" && (
        <Alert color="yellow" variant="light">
          The import stopped before its end. Import the file again: it continues where it stopped,
          and no row is imported twice.
        </Alert>
      )}
      <Panel title="Details">
        <BatchFacts batch={data} />
      </Panel>
      <MetadataPanel metadata={data.metadata} />
      {data.stages.length > 0 && <Sums batch={data} />}
      {data.waiting_rows.length > 0 && <WaitingRows batch={data} />}
      {data.refusals.length > 0 && <Refusals batch={data} />}
      {paysOf(data) && <Payouts batchId={batchId} />}
    </Screen>
  );
}

function titleOf({ kind }: PayoutBatchDetail): string {
  if (kind === "accounts") return "Import of accounts";
  return kind === "receivers" ? "Import of receivers" : batchesTexts.batch;
}

const paysOf = ({ kind }: PayoutBatchDetail) => kind !== "receivers" && kind !== "accounts";

function BatchFacts({ batch }: { batch: PayoutBatchDetail }) {
  const { kind, created_at, created_by, approved_by, file, retry_of, id } = batch;
  const pageOf = usePageOf();
  return (
    <Facts
      items={[
        {
          label: batchesTexts.source,
          value: batchesTexts.kinds[kind as keyof typeof batchesTexts.kinds],
        },
        { label: batchesTexts.created, value: <When ms={created_at} /> },
        { label: batchesTexts.createdBy, value: whoText(created_by) },
        paysOf(batch) && {
          label: batchesTexts.approvedBy,
          value: approved_by.map(whoText).join(", "),
        },
        file && {
          label: "Rows",
          value: `${countText(file.rows)}: ${batchesTexts.fileRows(
            countText(file.created),
            countText(file.already_imported),
            countText(file.refused),
          )}`,
        },
        retry_of !== null && {
          label: kind === "retry" ? "Retry of" : "Rows of",
          value: <PageLink to={pageOf("batches", retry_of)}>{retry_of}</PageLink>,
        },
        { label: "Batch ID", value: <IdChip id={id} short /> },
      ]}
    />
  );
}

function Sums({ batch: { stages } }: { batch: PayoutBatchDetail }) {
  return (
    <Panel title={batchesTexts.outcome}>
      <Stack gap="md">
        {batchSumsOf(stages).map((sum) => (
          <Stack key={sum.currency} gap={6}>
            <Text size="sm" fw={600}>
              {batchesTexts.payoutsCount(sum.payouts)},{" "}
              <Money amount={sum.amount.toString()} currency={sum.currency} />
            </Text>
            <OutcomeBar sum={sum} />
            <Facts
              items={sum.parts.map(({ outcome, payouts, amount }) => ({
                label: batchOutcomes[outcome].label,
                value: (
                  <>
                    {batchesTexts.payoutsCount(payouts)},{" "}
                    <Money amount={amount.toString()} currency={sum.currency} />
                  </>
                ),
              }))}
            />
          </Stack>
        ))}
      </Stack>
    </Panel>
  );
}

function Refusals({ batch: { refusals } }: { batch: PayoutBatchDetail }) {
  return (
    <Panel title={batchesTexts.refusedRows} flush>
      <RowsTable
        label={batchesTexts.refusedRows}
        head={
          <>
            <Table.Th ta="right">Row</Table.Th>
            <Table.Th>Reason</Table.Th>
            <Table.Th>{batchesTexts.receiver}</Table.Th>
            <Table.Th ta="right">{batchesTexts.amount}</Table.Th>
            <Table.Th>{batchesTexts.reference}</Table.Th>
          </>
        }
        rows={refusals.map(({ row, code, message, receiver, amount, currency, reference }) => (
          <Table.Tr key={row}>
            <Table.Td ta="right">{row}</Table.Td>
            <Table.Td>{batchesTexts.firstReason(code, message)}</Table.Td>
            <Table.Td>{receiver || "–"}</Table.Td>
            <Table.Td ta="right">
              {amount !== null && currency !== null ? (
                <Money amount={amount} currency={currency} />
              ) : (
                "–"
              )}
            </Table.Td>
            <Table.Td>{reference || "–"}</Table.Td>
          </Table.Tr>
        ))}
      />
    </Panel>
  );
}

const columns: readonly Column<PayoutLine>[] = [
  {
    key: "receiver",
    phone: "lead",
    title: batchesTexts.receiver,
    isLink: true,
    cell: (row) => row.receiver.name,
  },
  {
    key: "account",
    title: "Bank account",
    cell: ({ account }) => `${account.bank_name} ${account.tail}`.trim(),
  },
  {
    key: "amount",
    phone: "lead-end",
    title: batchesTexts.amount,
    align: "right",
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    key: "reference",
    phone: "sub",
    title: batchesTexts.reference,
    cell: (row) => row.reference || "–",
  },
  {
    key: "status",
    phone: "sub-end",
    title: "Status",
    cell: ({ stage, cause }) => <Status of="payout" value={stage} title={cause || undefined} />,
  },
];

function Payouts({ batchId }: { batchId: string }) {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const pageOf = usePageOf();
  const query = { batch_id: batchId };
  const page = usePage<PayoutLine>([id, "payouts"], apiOf("/payouts"), query);
  return (
    <Stack gap="xs">
      <PageTable
        label={batchesTexts.payouts}
        columns={columns}
        page={page}
        rowKey={(row) => row.id}
        rowHref={(row) => pageOf("payouts", row.id)}
        empty={<Empty title="No payouts in this batch" />}
      />
      <PageLink to={`${pageOf("payouts")}?batch_id=${batchId}`} fz="sm">
        View in the list of payouts
      </PageLink>
    </Stack>
  );
}
