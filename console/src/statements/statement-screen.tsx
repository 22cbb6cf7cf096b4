// One statement of a bank with its lines.

import type { BankLine, BankStatement } from "@server/doors/console/statements/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { get } from "../api/call.ts";
import { usePage } from "../api/page.ts";
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
import { statementsTexts } from "../texts/statements.ts";
import { lineColumns } from "./line-columns.tsx";
import { periodText, statementTitle } from "./statement-table.tsx";

export function StatementScreen() {
  const { statementId = "" } = useParams({ strict: false });
  const path = `/reconcile/statements/${encodeURIComponent(statementId)}`;
  const { data, error, refetch } = useQuery({
    queryKey: ["banks", "reconcile", "statement", statementId],
    queryFn: ({ signal }) => get<BankStatement>(path, {}, signal),
  });
  const back = <PageLink to="/reconcile/statements">{statementsTexts.toStatements}</PageLink>;
  if (!data)
    return (
      <LoadingScreen
        title={statementsTexts.statement}
        above={back}
        error={error}
        onRetry={refetch}
      />
    );
  const { opening, closing, currency } = data;
  return (
    <Screen title={statementTitle(data)} above={back}>
      <Panel title={statementsTexts.details}>
        <Facts
          items={[
            {
              label: statementsTexts.bank,
              value: (
                <PageLink to={`/reconcile/banks/${data.connection_id}`}>
                  {data.connection_name}
                </PageLink>
              ),
            },
            { label: statementsTexts.period, value: periodText(data) },
            {
              label: statementsTexts.opening,
              value: opening !== null && <Money amount={opening} currency={currency} />,
            },
            {
              label: statementsTexts.closing,
              value: closing !== null && <Money amount={closing} currency={currency} />,
            },
            { label: statementsTexts.lineCount, value: countText(data.lines) },
            { label: statementsTexts.repeated, value: countText(data.repeated) },
            {
              label: "File",
              value: <PageLink to={`/banks/inbound/${data.file_id}`}>{data.file_name}</PageLink>,
            },
            { label: statementsTexts.received, value: <When ms={data.received_at} withSeconds /> },
          ]}
        />
      </Panel>
      <Lines path={`${path}/lines`} />
    </Screen>
  );
}

const status: Column<BankLine> = {
  key: "status",
  title: "Status",
  cell: (row) => <Status of="statementLine" value={row.status} />,
};

function Lines({ path }: { path: string }) {
  const page = usePage<BankLine>(["banks", "reconcile"], path);
  return (
    <PageTable
      label="Lines"
      columns={[...lineColumns, status]}
      page={page}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/reconcile/lines/${id}`}
      empty={
        <Empty
          title="The statement has no lines of its own"
          hint="Its lines were known from earlier statements, or the account did not move."
        />
      }
    />
  );
}
