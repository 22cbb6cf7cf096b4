// One payout: details, timeline and next step.

import type { PayoutDetail } from "@server/doors/console/payouts/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { get } from "../api/call.ts";
import { useApiOf, useMay, usePageOf, useSubaccount } from "../api/me.ts";
import { Facts } from "../parts/facts.tsx";
import { IdChip } from "../parts/id-chip.tsx";
import { MetadataPanel } from "../parts/metadata-panel.tsx";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { Screen } from "../parts/screen.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { LoadingScreen } from "../shell/page-states.tsx";
import { moneyText } from "../state/money.ts";
import { calendarDayText } from "../state/time.ts";
import { whoText } from "../state/who.ts";
import { payoutsTexts } from "../texts/payouts.ts";
import styles from "./payout.module.css";
import { PayoutActions } from "./payout-actions.tsx";
import { PayoutTabs } from "./payout-tabs.tsx";
import { RecallPanel } from "./recall.tsx";
import { Timeline } from "./timeline.tsx";

const proposedBy = (proposal: { outcome: string; proposed_by: string; reason: string }) =>
  `${proposal.outcome}, by ${proposal.proposed_by}: ${proposal.reason}`;

export function PayoutScreen() {
  const { payoutId = "" } = useParams({ strict: false });
  const { id } = useSubaccount();
  const pageOf = usePageOf();
  const path = useApiOf()(`/payouts/${encodeURIComponent(payoutId)}`);
  const { data, error, refetch } = useQuery({
    queryKey: [id, "payouts", payoutId],
    queryFn: ({ signal }) => get<PayoutDetail>(path, {}, signal),
    // A pending payout may change within seconds.
    refetchInterval: ({ state }) => (state.data?.status === "pending" ? 5_000 : false),
  });
  const back = <PageLink to={pageOf("payouts")}>{payoutsTexts.payouts}</PageLink>;
  if (!data) return <LoadingScreen title="Payout" above={back} error={error} onRetry={refetch} />;
  const { amount, currency, receiver, stage, cause } = data;
  return (
    <Screen
      title={`${moneyText(amount, currency)} to ${receiver.name}`}
      above={back}
      beside={<Status of="payout" value={stage} title={cause || undefined} />}
      actions={<PayoutActions payout={data} />}
    >
      <div className={styles.columns}>
        <Panel title="Timeline">
          <Timeline payout={data} />
        </Panel>
        <Panel title="Details">
          <PayoutFacts payout={data} />
        </Panel>
      </div>
      <MetadataPanel metadata={data.json.metadata} />
      <RecallPanel payout={data} />
      <PayoutTabs payout={data} />
    </Screen>
  );
}

function PayoutFacts({ payout }: { payout: PayoutDetail }) {
  const pageOf = usePageOf();
  const { receiver, account, cause, cause_code, batch_id, retry_of, retried_as } = payout;
  const { bank_file, process_date, expected_arrival, send_on, statement_reference } = payout;
  const readsBanks = useMay("banks.read");
  const otherPayout = (id: string) => <PageLink to={pageOf("payouts", id)}>{id}</PageLink>;
  return (
    <Facts
      items={[
        { label: "ID", value: <IdChip id={payout.id} /> },
        {
          label: payoutsTexts.amount,
          value: <Money amount={payout.amount} currency={payout.currency} />,
        },
        payout.fee > 0 && {
          label: payoutsTexts.fee,
          value: <Money amount={payout.fee} currency={payout.currency} />,
        },
        payout.fee > 0 && {
          label: payoutsTexts.sentAmount,
          value: <Money amount={payout.sent_amount} currency={payout.currency} />,
        },
        { label: payoutsTexts.status, value: <Status of="payout" value={payout.stage} /> },
        { label: "API status", value: <code>{payout.status}</code> },
        payout.set_aside !== null && {
          label: "Set aside",
          value: payout.set_aside.reason,
        },
        payout.resolution !== null && {
          label: "Proposed outcome",
          value: proposedBy({
            ...payout.resolution,
            proposed_by: whoText(payout.resolution.proposed_by),
          }),
        },
        cause !== "" && {
          label: "Cause",
          value: cause_code ? `${cause} (${cause_code})` : cause,
        },
        {
          label: payoutsTexts.receiver,
          value: <PageLink to={pageOf("receivers", receiver.id)}>{receiver.name}</PageLink>,
        },
        {
          label: payoutsTexts.bankAccount,
          value: [account.bank_name, account.tail].filter((text) => text !== "").join(" "),
        },
        {
          label: payoutsTexts.reference,
          value: payout.reference && <IdChip id={payout.reference} />,
        },
        payout.note !== "" && { label: payoutsTexts.note, value: payout.note },
        statement_reference !== "" && {
          label: payoutsTexts.statementReference,
          value: statement_reference,
        },
        send_on !== "" && { label: payoutsTexts.sendOn, value: calendarDayText(send_on) },
        process_date !== "" && {
          label: payoutsTexts.processDate,
          value: calendarDayText(process_date),
        },
        expected_arrival !== "" && {
          label: payoutsTexts.expectedArrival,
          value: calendarDayText(expected_arrival),
        },
        bank_file !== null && {
          label: "Bank file",
          value: (
            <>
              {readsBanks ? (
                <PageLink to={`/banks/batches/${bank_file.batch_id}`}>
                  {bank_file.file_name}
                </PageLink>
              ) : (
                bank_file.file_name
              )}
              , {`line ${bank_file.line}`}
            </>
          ),
        },
        {
          label: "Bank reference",
          value: payout.provider_reference && <IdChip id={payout.provider_reference} />,
        },
        batch_id !== null && {
          label: payoutsTexts.batch,
          value: <PageLink to={pageOf("batches", batch_id)}>{batch_id}</PageLink>,
        },
        retry_of !== null && { label: "Retry of", value: otherPayout(retry_of) },
        retried_as !== null && { label: "Retried as", value: otherPayout(retried_as) },
        { label: payoutsTexts.createdBy, value: payout.made_by },
        { label: payoutsTexts.created, value: <When ms={payout.created_at} withSeconds /> },
        { label: "Last updated", value: <When ms={payout.updated_at} withSeconds /> },
      ]}
    />
  );
}
