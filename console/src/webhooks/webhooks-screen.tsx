// Webhooks: the endpoint, the events, their delivery attempts as a list and as charts, and resends.

import { Tabs } from "@mantine/core";
import { Problem } from "../parts/problem.tsx";
import { Screen } from "../parts/screen.tsx";
import { PageLoading } from "../shell/page-states.tsx";
import { useFilters } from "../state/filters.ts";
import { deliveriesTexts } from "../texts/deliveries.ts";
import { webhooksTexts } from "../texts/webhooks.ts";
import { AttemptsTab } from "./attempts-tab.tsx";
import { ChartsTab } from "./charts-tab.tsx";
import { EndpointActions } from "./endpoint-actions.tsx";
import { EndpointPanel } from "./endpoint-panel.tsx";
import { EventsTab } from "./events-tab.tsx";
import { RecoveriesTab } from "./recoveries-tab.tsx";
import { useWebhook } from "./webhook.ts";

export function WebhooksScreen() {
  const { data: webhook, error, refetch } = useWebhook();
  const [{ tab = "events" }, setFilters] = useFilters();
  // The tabs have different filters.
  const choose = (chosen: string | null) =>
    setFilters({
      type: undefined,
      status: undefined,
      payout_id: undefined,
      receiver_id: undefined,
      from: undefined,
      to: undefined,
      outcome: undefined,
      days: undefined,
      share: undefined,
      tab: chosen === "events" ? undefined : (chosen ?? undefined),
    });
  return (
    <Screen title={webhooksTexts.webhooks}>
      {webhook ? (
        <EndpointPanel webhook={webhook} actions={<EndpointActions webhook={webhook} />} />
      ) : error ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : (
        <PageLoading />
      )}
      <Tabs value={tab} onChange={choose}>
        <Tabs.List>
          <Tabs.Tab value="events">{webhooksTexts.events}</Tabs.Tab>
          <Tabs.Tab value="attempts">{webhooksTexts.attempts}</Tabs.Tab>
          <Tabs.Tab value="charts">{deliveriesTexts.charts}</Tabs.Tab>
          <Tabs.Tab value="recoveries">{webhooksTexts.resends}</Tabs.Tab>
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
      </Tabs>
    </Screen>
  );
}
