// One statement line: what the bank says, what it was matched with, and what it may be.

import { Alert, Stack, Text, Title } from "@mantine/core";
import type { BankLineDetail, SuggestedMatch } from "@server/doors/console/statements/schema.ts";
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
import { LoadingScreen } from "../shell/page-states.tsx";
import { moneyText } from "../state/money.ts";
import { calendarDayText } from "../state/time.ts";
import { whoText } from "../state/who.ts";
import { statementsTexts } from "../texts/statements.ts";
import { LineActions } from "./line-actions.tsx";
import { ConfirmSuggestion, SuggestionText } from "./suggestion.tsx";

const kinds = {
  payout: "Paid a payout",
  batch: "Paid a bank file",
  return: "Returned payout",
  fund: "Funded a subaccount",
  company: "Company's own money",
  undo: "Undone",
} as Record<string, string>;

type Line = { line: BankLineDetail };

export function LineScreen() {
  const { lineId = "" } = useParams({ strict: false });
  const { data, error, refetch } = useQuery({
    queryKey: ["banks", "reconcile", "line", lineId],
    queryFn: ({ signal }) =>
      get<BankLineDetail>(`/reconcile/lines/${encodeURIComponent(lineId)}`, {}, signal),
  });
  const back = <PageLink to="/reconcile">{statementsTexts.reconcile}</PageLink>;
  if (!data)
    return (
      <LoadingScreen title={statementsTexts.line} above={back} error={error} onRetry={refetch} />
    );
  const { status, amount, currency, connection_id, connection_name, suspense_id, repeats_id } =
    data;
  return (
    <Screen
      title={moneyText(amount, currency)}
      above={<PageLink to={`/reconcile/banks/${connection_id}`}>{connection_name}</PageLink>}
      beside={<Status of="statementLine" value={status} />}
      actions={<LineActions line={data} />}
    >
      {suspense_id !== null && (
        <Alert color="yellow" title="Its money waits in suspense">
          <PageLink to={`/banks/suspense/${suspense_id}`}>{statementsTexts.openSuspense}</PageLink>
        </Alert>
      )}
      {status === "doubtful" && (
        <Alert color="yellow" title="It may repeat an earlier line">
          Statements overlap, and it is not certain that this line is new. Until you decide, it is
          not in the books and the month can't be closed.{" "}
          {repeats_id !== null && (
            <PageLink to={`/reconcile/lines/${repeats_id}`}>Open the earlier line</PageLink>
          )}
        </Alert>
      )}
      {status === "open" && <Suggestions line={data} />}
      <div className={styles.columns}>
        <Panel title={statementsTexts.details}>
          <LineFacts line={data} />
        </Panel>
        <Panel title="Matches">
          <Matches line={data} />
        </Panel>
      </div>
    </Screen>
  );
}

function LineFacts({ line }: Line) {
  return (
    <Facts
      items={[
        { label: statementsTexts.day, value: calendarDayText(line.day) },
        { label: "Value day", value: calendarDayText(line.value_day) },
        {
          label: statementsTexts.amount,
          value: <Money amount={line.amount} currency={line.currency} />,
        },
        { label: "Name", value: line.party },
        { label: "Account", value: line.account },
        { label: "Reference", value: line.reference },
        { label: "The bank's words", value: line.bank_text },
        { label: "The bank's reference", value: line.bank_reference },
        { label: "The bank's code", value: line.code },
        {
          label: statementsTexts.statement,
          value: (
            <PageLink to={`/reconcile/statements/${line.statement_id}`}>Open statement</PageLink>
          ),
        },
      ]}
    />
  );
}

function Suggestions({ line }: Line) {
  const mayDecide = useMay("banks.release");
  const confirm: Column<SuggestedMatch> = {
    key: "confirm",
    title: statementsTexts.confirm,
    align: "right",
    cell: (one) => <ConfirmSuggestion lineId={line.id} suggestion={one} />,
  };
  const what: Column<SuggestedMatch> = {
    key: "what",
    title: statementsTexts.suggestion,
    cell: (one) => <SuggestionText suggestion={one} />,
  };
  return (
    <Stack gap="xs">
      <Title order={2} fz="sm">
        {statementsTexts.suggestedMatches}
      </Title>
      <PageTable
        label={statementsTexts.suggestedMatches}
        columns={mayDecide ? [what, confirm] : [what]}
        page={onePageOf({ data: { rows: line.suggestions } })}
        rowKey={({ kind, batch_id, payout_id }) => `${kind} ${payout_id ?? batch_id}`}
        empty={
          <Empty title="Nothing fits in two respects. Match it by hand, or give it to the company." />
        }
      />
    </Stack>
  );
}

function Matches({ line }: Line) {
  if (line.matches.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        None yet
      </Text>
    );
  }
  return (
    <ol className={styles.timeline}>
      {line.matches.map((match) => (
        <TimelineEntryLine
          key={match.id}
          title={kinds[match.kind]}
          detail={[
            moneyText(match.amount, line.currency),
            statementsTexts.by(whoText(match.made_by)),
            match.reason,
            ...(match.is_undone ? ["undone"] : []),
          ].join(" · ")}
          at={match.at}
        >
          <MatchLink match={match} />
        </TimelineEntryLine>
      ))}
    </ol>
  );
}

function MatchLink({ match }: { match: BankLineDetail["matches"][number] }) {
  const { subaccount_id, payout_id, batch_id, batch_name, kind } = match;
  if (payout_id !== null) {
    return (
      <PageLink to={`/s/${subaccount_id}/payouts/${payout_id}`}>
        {statementsTexts.suggestions.payout}
      </PageLink>
    );
  }
  if (batch_id !== null) {
    return <PageLink to={`/banks/batches/${batch_id}`}>{batch_name}</PageLink>;
  }
  if (kind !== "fund" || subaccount_id === null) return null;
  return <PageLink to={`/s/${subaccount_id}/reconcile`}>{statementsTexts.subaccount}</PageLink>;
}
