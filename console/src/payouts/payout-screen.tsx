// One payout: what is known of it, all that happened to it in one order, and what to do now.

import type { PayoutDetail } from "@server/console/payouts/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { get } from "../api/call.ts";
import { useApiOf, usePageOf, useSubaccount } from "../api/me.ts";
import { Facts } from "../parts/facts.tsx";
import { IdChip } from "../parts/id-chip.tsx";
import { Money } from "../parts/money.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";
import { Screen } from "../parts/screen.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { PageLoading } from "../shell/page-states.tsx";
import { moneyText } from "../state/money.ts";
import { whoText } from "../state/who.ts";
import styles from "./payout.module.css";
import { PayoutActions } from "./payout-actions.tsx";
import { PayoutTabs } from "./payout-tabs.tsx";
import { Timeline } from "./timeline.tsx";

export function PayoutScreen() {
  const { payoutId = "" } = useParams({ strict: false });
  const { id } = useSubaccount();
  const pageOf = usePageOf();
  const path = useApiOf()(`/payouts/${encodeURIComponent(payoutId)}`);
  const { data, error, refetch } = useQuery({
    queryKey: [id, "payouts", payoutId],
    queryFn: ({ signal }) => get<PayoutDetail>(path, {}, signal),
    // Soon on its way: then it changes within seconds.
    refetchInterval: ({ state }) => (state.data?.status === "pending" ? 5_000 : false),
  });
  const back = <PageLink to={pageOf("payouts")}>Payouts</PageLink>;
  if (!data) {
    return (
      <Screen title="Payout" above={back}>
        {error ? <Problem error={error} onRetry={() => void refetch()} /> : <PageLoading />}
      </Screen>
    );
  }
  const { amount, currency, receiver, stage, cause } = data;
  return (
    <Screen
      title={`${moneyText(amount, currency)} → ${receiver.name}`}
      above={back}
      beside={<Status of="payout" value={stage} title={cause || undefined} />}
      actions={<PayoutActions payout={data} />}
    >
      <div className={styles.columns}>
        <Panel title="Timeline">
          <Timeline payout={data} />
        </Panel>
        <Panel title="Facts">
          <PayoutFacts payout={data} />
        </Panel>
      </div>
      <PayoutTabs payout={data} />
    </Screen>
  );
}

function PayoutFacts({ payout }: { payout: PayoutDetail }) {
  const pageOf = usePageOf();
  const { receiver, account, cause, cause_code, batch_id, retry_of, retried_as } = payout;
  const otherPayout = (id: string) => <PageLink to={pageOf("payouts", id)}>{id}</PageLink>;
  return (
    <Facts
      items={[
        { label: "Id", value: <IdChip id={payout.id} /> },
        { label: "Amount", value: <Money amount={payout.amount} currency={payout.currency} /> },
        { label: "Status", value: <Status of="payout" value={payout.status} /> },
        payout.set_aside !== null && { label: "Set aside", value: payout.set_aside.reason },
        payout.resolution !== null && {
          label: "Proposed outcome",
          value: `${payout.resolution.outcome}, by ${whoText(payout.resolution.proposed_by)}: ${payout.resolution.reason}`,
        },
        cause !== "" && { label: "Cause", value: cause_code ? `${cause} (${cause_code})` : cause },
        {
          label: "Receiver",
          value: <PageLink to={pageOf("receivers", receiver.id)}>{receiver.name}</PageLink>,
        },
        {
          label: "Account",
          value: [account.bank_name, account.tail].filter((text) => text !== "").join(" "),
        },
        {
          label: "Reference",
          value: payout.reference && <IdChip id={payout.reference} />,
        },
        payout.note !== "" && { label: "Note", value: payout.note },
        {
          label: "Bank’s reference",
          value: payout.provider_reference && <IdChip id={payout.provider_reference} />,
        },
        batch_id !== null && {
          label: "Batch",
          value: <PageLink to={`${pageOf("payouts")}?batch_id=${batch_id}`}>{batch_id}</PageLink>,
        },
        retry_of !== null && { label: "Made anew of", value: otherPayout(retry_of) },
        retried_as !== null && { label: "Made anew as", value: otherPayout(retried_as) },
        { label: "Made by", value: payout.made_by },
        { label: "Created", value: <When ms={payout.created_at} withSeconds /> },
        { label: "Last change", value: <When ms={payout.updated_at} withSeconds /> },
      ]}
    />
  );
}
