// One suspense item: the bank's report, the payouts that it may be about, and what was decided.

import { Stack, Text, Title } from "@mantine/core";
import type { SuspenseDetail } from "@server/doors/console/suspense/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { get } from "../api/call.ts";
import { useMay } from "../api/me.ts";
import { onePageOf } from "../api/page.ts";
import styles from "../banks/banks.module.css";
import { TimelineEntryLine } from "../banks/timeline-entry.tsx";
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
import { calendarDayText } from "../state/time.ts";
import { whoText } from "../state/who.ts";
import { reportTitle } from "../texts/bank-inbound.ts";
import { reasonsText } from "../texts/statements.ts";
import { suspenseTexts } from "../texts/suspense.ts";
import { FundButton, MatchButton, SuspenseActions } from "./decisions.tsx";

const acts = {
  match: "Matched",
  fund: "Given to a subaccount",
  company: "Given to the company",
  split: "Split",
  return: "Money returned",
  close: "Closed",
  undo: "Undone",
} as Record<string, string>;

export function SuspenseItemScreen() {
  const { itemId = "" } = useParams({ strict: false });
  const { data, error, refetch } = useQuery({
    queryKey: ["banks", "suspense", itemId],
    queryFn: ({ signal }) =>
      get<SuspenseDetail>(`/banks/suspense/${encodeURIComponent(itemId)}`, {}, signal),
  });
  const back = <PageLink to="/banks/suspense">{suspenseTexts.suspense}</PageLink>;
  if (!data)
    return (
      <LoadingScreen title={suspenseTexts.item} above={back} error={error} onRetry={refetch} />
    );
  const { kind, status } = data;
  return (
    <Screen
      title={reportTitle(kind, data, status === "open")}
      above={back}
      beside={<Status of="suspense" value={status} />}
      actions={<SuspenseActions item={data} />}
    >
      {status === "open" && kind === "credit" && <FundingCandidates item={data} />}
      {status === "open" && <Candidates item={data} />}
      <div className={styles.columns}>
        <Panel title="Details">
          <ItemFacts item={data} />
        </Panel>
        <Panel title="Decisions">
          <Decisions item={data} />
        </Panel>
      </div>
    </Screen>
  );
}

function ItemFacts({ item }: { item: SuspenseDetail }) {
  const { amount, currency, parent_id } = item;
  return (
    <Facts
      items={[
        { label: "Why", value: item.reason },
        {
          label: suspenseTexts.amount,
          value: amount !== null && <Money amount={amount} currency={currency} />,
        },
        {
          label: "Money",
          value: !item.is_booked
            ? "None in the books"
            : item.status === "open"
              ? "In the books, under suspense"
              : `No longer under suspense: ${acts[item.acts.at(-1)?.act ?? ""]?.toLowerCase() ?? item.status}`,
        },
        { label: "Name on the statement", value: item.party },
        { label: "The bank's words", value: item.bank_text },
        { label: "The bank's code", value: item.code },
        { label: suspenseTexts.reference, value: item.reference },
        { label: suspenseTexts.account, value: item.account },
        { label: "Day", value: calendarDayText(item.day) },
        { label: suspenseTexts.bank, value: item.connection_name },
        {
          label: "File",
          value: <PageLink to={`/banks/inbound/${item.file_id}`}>Open file</PageLink>,
        },
        parent_id !== null && {
          label: "Part of",
          value: <PageLink to={`/banks/suspense/${parent_id}`}>{suspenseTexts.item}</PageLink>,
        },
        { label: suspenseTexts.age, value: <When ms={item.created_at} /> },
      ]}
    />
  );
}

type Candidate = SuspenseDetail["candidates"][number];

function candidateColumns(item: SuspenseDetail, mayDecide: boolean): Column<Candidate>[] {
  const match: Column<Candidate> = {
    key: "match",
    title: suspenseTexts.match,
    align: "right",
    cell: (candidate) => <MatchButton item={item} candidate={candidate} />,
  };
  return [
    {
      key: "payout",
      title: suspenseTexts.payout,
      cell: ({ subaccount_id, payout_id, reference }) => (
        <PageLink to={`/s/${subaccount_id}/payouts/${payout_id}`}>{reference}</PageLink>
      ),
    },
    { key: "subaccount", title: suspenseTexts.subaccount, cell: (one) => one.subaccount_name },
    { key: "reasons", title: suspenseTexts.reasons, cell: ({ reasons }) => reasonsText(reasons) },
    {
      key: "date",
      title: "Process date",
      cell: ({ process_date }) => calendarDayText(process_date),
    },
    { key: "account", title: suspenseTexts.account, cell: ({ account }) => account },
    {
      key: "amount",
      title: suspenseTexts.amount,
      align: "right",
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    ...(mayDecide ? [match] : []),
  ];
}

function Candidates({ item }: { item: SuspenseDetail }) {
  const mayDecide = useMay("banks.release");
  return (
    <Stack gap="xs">
      <Title order={2} fz="sm">
        {suspenseTexts.candidates}
      </Title>
      <PageTable
        label={suspenseTexts.candidates}
        columns={candidateColumns(item, mayDecide)}
        page={onePageOf({ data: { rows: item.candidates } })}
        rowKey={({ payout_id }) => payout_id}
        empty={
          <Empty title="No sent payout of this bank connection fits in amount or reference." />
        }
      />
    </Stack>
  );
}

type FundingCandidate = SuspenseDetail["subaccounts"][number];

function FundingCandidates({ item }: { item: SuspenseDetail }) {
  const mayDecide = useMay("banks.release");
  const fund: Column<FundingCandidate> = {
    key: "fund",
    title: suspenseTexts.fund,
    align: "right",
    cell: (subaccount) => <FundButton item={item} subaccount={subaccount} />,
  };
  return (
    <Stack gap="xs">
      <Title order={2} fz="sm">
        {suspenseTexts.subaccounts}
      </Title>
      <PageTable
        label={suspenseTexts.subaccounts}
        columns={[
          { key: "subaccount", title: suspenseTexts.subaccount, cell: ({ name }) => name },
          {
            key: "reasons",
            title: suspenseTexts.reasons,
            cell: ({ reasons }) => reasonsText(reasons),
          },
          ...(mayDecide ? [fund] : []),
        ]}
        page={onePageOf({ data: { rows: item.subaccounts } })}
        rowKey={({ id }) => id}
        empty={
          <Empty title="No deposit reference is similar, and the payer has funded no subaccount before." />
        }
      />
    </Stack>
  );
}

function Decisions({ item }: { item: SuspenseDetail }) {
  if (item.acts.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        None yet
      </Text>
    );
  }
  return (
    <ol className={styles.timeline}>
      {item.acts.map(({ number, act, who, at, reason, subaccount_id, payout_id }) => (
        <TimelineEntryLine
          key={number}
          title={acts[act]}
          detail={`by ${whoText(who)} · ${reason}`}
          at={at}
        >
          {payout_id !== null && (
            <PageLink to={`/s/${subaccount_id}/payouts/${payout_id}`}>
              {suspenseTexts.payout}
            </PageLink>
          )}
          {act === "fund" && (
            <PageLink to={`/s/${subaccount_id}/reconcile`}>{suspenseTexts.subaccount}</PageLink>
          )}
        </TimelineEntryLine>
      ))}
    </ol>
  );
}
