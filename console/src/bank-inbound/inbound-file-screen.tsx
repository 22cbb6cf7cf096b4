// One file from a bank: what it reports, line by line, and what came of it.

import { Stack, Text } from "@mantine/core";
import type { BankReport, InboundFileDetail } from "@server/doors/console/bank-inbound/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { get } from "../api/call.ts";
import { usePage } from "../api/page.ts";
import styles from "../banks/banks.module.css";
import { Empty } from "../parts/empty.tsx";
import { Facts } from "../parts/facts.tsx";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { type Column, PageTable } from "../parts/page-table.tsx";
import { Panel } from "../parts/panel.tsx";
import { Screen } from "../parts/screen.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { LoadingScreen } from "../shell/page-states.tsx";
import { countText } from "../state/locale.ts";
import { calendarDayText } from "../state/time.ts";
import { whoText } from "../state/who.ts";
import { inboundTexts } from "../texts/bank-inbound.ts";

export function InboundFileScreen() {
  const { fileId = "" } = useParams({ strict: false });
  const path = `/banks/inbound/${encodeURIComponent(fileId)}`;
  const { data, error, refetch } = useQuery({
    queryKey: ["banks", "inbound", fileId],
    queryFn: ({ signal }) => get<InboundFileDetail>(path, {}, signal),
  });
  const back = <PageLink to="/banks/inbound">{inboundTexts.fromBanks}</PageLink>;
  if (!data)
    return (
      <LoadingScreen
        title={inboundTexts.fileFromBank}
        above={back}
        error={error}
        onRetry={refetch}
      />
    );
  return (
    <Screen title={data.name} above={back}>
      <Panel title="Details">
        <Facts
          items={[
            { label: inboundTexts.bank, value: data.connection_name },
            { label: inboundTexts.format, value: data.format },
            { label: inboundTexts.reports, value: countText(data.lines) },
            { label: inboundTexts.appliedCount, value: countText(data.applied) },
            { label: inboundTexts.suspended, value: countText(data.suspended) },
            { label: inboundTexts.repeated, value: countText(data.repeated) },
            { label: inboundTexts.received, value: <When ms={data.received_at} withSeconds /> },
            { label: "Received by", value: whoText(data.received_by) },
            {
              label: "SHA-256",
              value: <span className={styles.hash}>{data.sha256}</span>,
            },
            {
              label: "Size",
              value: `${countText(data.bytes)} bytes`,
            },
          ]}
        />
      </Panel>
      <Reports path={path} />
    </Screen>
  );
}

const columns: Column<BankReport>[] = [
  { key: "line", title: "Line", cell: ({ line }) => line },
  {
    key: "kind",
    title: "Report",
    cell: ({ kind, code, bank_text }) => (
      <Stack gap={0}>
        <span>{inboundTexts.report(kind, code)}</span>
        {bank_text && (
          <Text span size="xs" c="dimmed">
            {bank_text}
          </Text>
        )}
      </Stack>
    ),
  },
  { key: "reference", title: "Reference", cell: ({ reference }) => reference },
  { key: "day", title: "Day", cell: ({ day }) => calendarDayText(day) },
  {
    key: "amount",
    title: "Amount",
    align: "right",
    cell: ({ amount, currency }) =>
      amount === null ? "–" : <Money amount={amount} currency={currency} />,
  },
  {
    key: "outcome",
    title: "Outcome",
    cell: ({ outcome, detail }) => (
      <Stack gap={0}>
        <Status of="bankReport" value={outcome} />
        {detail && (
          <Text span size="xs" c="dimmed">
            {detail}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    key: "payout",
    title: "Payout",
    cell: ({ subaccount_id, payout_id }) =>
      payout_id === null ? (
        "–"
      ) : (
        <PageLink to={`/s/${subaccount_id}/payouts/${payout_id}`}>Open payout</PageLink>
      ),
  },
];

function Reports({ path }: { path: string }) {
  const page = usePage<BankReport>(["banks"], `${path}/reports`);
  return (
    <PageTable
      label={inboundTexts.reports}
      columns={columns}
      page={page}
      rowKey={({ number }) => String(number)}
      empty={<Empty title="No reports" />}
    />
  );
}
