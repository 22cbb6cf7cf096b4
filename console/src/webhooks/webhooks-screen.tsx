// Webhooks: the endpoint, the events, their delivery attempts as a list and as charts, and resends.

import { Tabs } from "@mantine/core";
import { Problem } from "../parts/problem.tsx";
import { Screen } from "../parts/screen.tsx";
import { PageLoading } from "../shell/page-states.tsx";
import { useTab } from "../state/tab.ts";
import { webhooksTexts } from "../texts/webhooks.ts";
import { AttemptsTab } from "./attempts-tab.tsx";
import { ChartsTab } from "./charts-tab.tsx";
import { EndpointActions } from "./endpoint-actions.tsx";
import { EndpointPanel } from "./endpoint-panel.tsx";
import { EndpointsTab } from "./endpoints-tab.tsx";
import { EventsTab } from "./events-tab.tsx";
import { RecoveriesTab } from "./recoveries-tab.tsx";
import { useWebhook } from "./webhook.ts";

const tabs = ["events", "attempts", "charts", "recoveries", "endpoints"] as const;
/** The tabs have different filters. */
const cleared = [
  "type",
  "status",
  "payout_id",
  "receiver_id",
  "from",
  "to",
  "outcome",
  "days",
  "share",
];

export function WebhooksScreen() {
  const { data: webhook, error, refetch } = useWebhook();
  const [tab, choose] = useTab(tabs, { cleared });
  // The tabs come with the panel above them: they would move under a click when it is loaded.
  return (
    <Screen>
      {webhook ? (
        <EndpointPanel webhook={webhook} actions={<EndpointActions webhook={webhook} />} />
      ) : error ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : (
        <PageLoading />
      )}
      {(webhook || error) && (
        <Tabs value={tab} onChange={choose}>
          <Tabs.List>
            <Tabs.Tab value="events">{webhooksTexts.events}</Tabs.Tab>
            <Tabs.Tab value="attempts">{webhooksTexts.attempts}</Tabs.Tab>
            <Tabs.Tab value="charts">Charts</Tabs.Tab>
            <Tabs.Tab value="recoveries">{webhooksTexts.resends}</Tabs.Tab>
            <Tabs.Tab value="endpoints">Endpoints</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="events" pt="md">
            <EventsTab webhook={webhook} />
          </Tabs.Panel>
          <Tabs.Panel value="attempts" pt="md">
            <AttemptsTab />
          </Tabs.Panel>
          <Tabs.Panel value="charts" pt="md">
            <ChartsTab />
          </Tabs.Panel>
          <Tabs.Panel value="recoveries" pt="md">
            <RecoveriesTab />
          </Tabs.Panel>
          <Tabs.Panel value="endpoints" pt="md">
            <EndpointsTab />
          </Tabs.Panel>
        </Tabs>
      )}
    </Screen>
  );
}
