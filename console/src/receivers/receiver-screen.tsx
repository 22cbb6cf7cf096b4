// One receiver: profile, identity check, bank accounts, payouts, events and history.

import { Group, Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { get } from "../api/call.ts";
import { useApiOf, usePageOf, useSubaccount } from "../api/me.ts";
import { CodeBlock } from "../parts/code-block.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Screen } from "../parts/screen.tsx";
import { Status } from "../parts/status.tsx";
import { LoadingScreen } from "../shell/page-states.tsx";
import { useTab } from "../state/tab.ts";
import { receiversTexts } from "../texts/receivers.ts";
import { AccountsTab } from "./accounts-tab.tsx";
import { kycTitle, statusTitle } from "./codes.ts";
import { ErasureBanner } from "./erasure-banner.tsx";
import { ReceiverEventsTab } from "./events-tab.tsx";
import { History } from "./history.tsx";
import { KycBanner } from "./kyc-banner.tsx";
import { PayoutsTab } from "./payouts-tab.tsx";
import { ProfileTab } from "./profile-tab.tsx";
import { Questions } from "./questions.tsx";
import type { ReceiverDetail } from "./receiver.ts";
import { ReceiverActions } from "./receiver-actions.tsx";

const tabs = ["profile", "accounts", "payouts", "events", "history", "json"] as const;

export function ReceiverScreen() {
  const { receiverId = "" } = useParams({ strict: false });
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const pageOf = usePageOf();
  const [tab, choose] = useTab(tabs);
  const path = apiOf(`/receivers/${encodeURIComponent(receiverId)}`);
  const {
    data: receiver,
    error,
    refetch,
  } = useQuery({
    queryKey: [id, "receivers", receiverId],
    queryFn: ({ signal }) => get<ReceiverDetail>(path, {}, signal),
  });
  const back = <PageLink to={pageOf("receivers")}>{receiversTexts.receivers}</PageLink>;
  if (!receiver)
    return <LoadingScreen title="Receiver" above={back} error={error} onRetry={refetch} />;
  const { json, accounts, events, payouts } = receiver;
  return (
    <Screen
      title={
        receiver.erased_at === null ? `${json.first_name} ${json.last_name}` : "Erased receiver"
      }
      above={back}
      beside={
        <Group gap={6}>
          <Status of="receiver" value={receiver.status} hint={statusTitle(receiver.status_code)} />
        </Group>
      }
      actions={<ReceiverActions receiver={receiver} />}
    >
      <ErasureBanner request={receiver.erasure_request} />
      <KycBanner receiver={receiver} hint={kycTitle(receiver.kyc_code)} />
      <Questions questions={receiver.questions} />
      <Tabs value={tab} onChange={choose}>
        <Tabs.List>
          <Tabs.Tab value="profile">Profile</Tabs.Tab>
          <Tabs.Tab value="accounts">{`Bank accounts (${accounts.length})`}</Tabs.Tab>
          <Tabs.Tab value="payouts">
            {`Payouts (${payouts.count >= 100 ? "100+" : payouts.count})`}
          </Tabs.Tab>
          <Tabs.Tab value="events">{`Events (${events.length})`}</Tabs.Tab>
          <Tabs.Tab value="history">{receiversTexts.history}</Tabs.Tab>
          <Tabs.Tab value="json">JSON</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="profile" pt="md">
          <ProfileTab receiver={receiver} />
        </Tabs.Panel>
        <Tabs.Panel value="accounts" pt="md">
          <AccountsTab receiver={receiver} />
        </Tabs.Panel>
        <Tabs.Panel value="payouts" pt="md">
          <PayoutsTab receiverId={json.id} />
        </Tabs.Panel>
        <Tabs.Panel value="events" pt="md">
          <ReceiverEventsTab receiver={receiver} />
        </Tabs.Panel>
        <Tabs.Panel value="history" pt="md">
          <History history={receiver.history} reports={receiver.reports} />
        </Tabs.Panel>
        <Tabs.Panel value="json" pt="md">
          <CodeBlock text={JSON.stringify(json, null, 2)} label={`GET /api/receiver/${json.id}`} />
        </Tabs.Panel>
      </Tabs>
    </Screen>
  );
}
