// One statement line: what the bank says, what it was matched with, and what it may be.

import { Alert, Stack, Text, Title } from "@mantine/core";
import type { BankLineDetail, SuggestedMatch } from "@server/console/statements/schema.ts";
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
        <Alert color="yellow" title={statementsTexts.waitsInSuspense}>
          <PageLink to={`/banks/suspense/${suspense_id}`}>{statementsTexts.openSuspense}</PageLink>
        </Alert>
      )}
      {status === "doubtful" && (
        <Alert color="yellow" title={statementsTexts.maybeRepeated}>
          {statementsTexts.maybeRepeatedText}{" "}
          {repeats_id !== null && (
            <PageLink to={`/reconcile/lines/${repeats_id}`}>{statementsTexts.earlierLine}</PageLink>
          )}
        </Alert>
      )}
      {status === "open" && <Suggestions line={data} />}
      <div className={styles.columns}>
        <Panel title={statementsTexts.details}>
          <LineFacts line={data} />
        </Panel>
        <Panel title={statementsTexts.matches}>
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
        { label: statementsTexts.valueDay, value: calendarDayText(line.value_day) },
        {
          label: statementsTexts.amount,
          value: <Money amount={line.amount} currency={line.currency} />,
        },
        { label: statementsTexts.party, value: line.party },
        { label: statementsTexts.account, value: line.account },
        { label: statementsTexts.reference, value: line.reference },
        { label: statementsTexts.bankText, value: line.bank_text },
        { label: statementsTexts.bankReference, value: line.bank_reference },
        { label: statementsTexts.code, value: line.code },
        {
          label: statementsTexts.statement,
          value: (
            <PageLink to={`/reconcile/statements/${line.statement_id}`}>
              {statementsTexts.openStatement}
            </PageLink>
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
        empty={<Empty title={statementsTexts.noSuggestions} />}
      />
    </Stack>
  );
}

function Matches({ line }: Line) {
  if (line.matches.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {statementsTexts.noMatches}
      </Text>
    );
  }
  return (
    <ol className={styles.timeline}>
      {line.matches.map((match) => (
        <TimelineEntryLine
          key={match.id}
          title={statementsTexts.kinds[match.kind]}
          detail={[
            moneyText(match.amount, line.currency),
            statementsTexts.by(whoText(match.made_by)),
            match.reason,
            ...(match.is_undone ? [statementsTexts.undone] : []),
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
