// The subaccount's settings: profile, funding, events, limits and access.

import { Tabs } from "@mantine/core";
import type { Settings } from "@server/doors/console/settings/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { useApiOf, useSubaccount } from "../api/me.ts";
import { HowToFund } from "../balances/how-to-fund.tsx";
import { Screen } from "../parts/screen.tsx";
import { LoadingScreen } from "../shell/page-states.tsx";
import { useTab } from "../state/tab.ts";
import { fundingTexts } from "../texts/funding.ts";
import { AccessTab } from "./access-tab.tsx";
import { EventSettingsTab } from "./events-tab.tsx";
import { LimitsTab } from "./limits-tab.tsx";
import { SubaccountProfileTab } from "./profile-tab.tsx";

const tabs = ["profile", "funding", "events", "limits", "access"] as const;
const tabsOfClosed = ["profile", "events", "limits", "access"] as const;

export function SettingsScreen() {
  const { id, is_closed } = useSubaccount();
  const apiOf = useApiOf();
  const [tab, choose] = useTab<string>(is_closed ? tabsOfClosed : tabs);
  const { data, error, refetch } = useQuery({
    queryKey: [id, "settings"],
    queryFn: ({ signal }) => get<Settings>(apiOf("/settings"), {}, signal),
  });
  if (!data) return <LoadingScreen error={error} onRetry={refetch} />;
  return (
    <Screen>
      <Tabs value={tab} onChange={choose}>
        <Tabs.List>
          <Tabs.Tab value="profile">Profile</Tabs.Tab>
          {!is_closed && <Tabs.Tab value="funding">{fundingTexts.howToFund}</Tabs.Tab>}
          <Tabs.Tab value="events">Events and retries</Tabs.Tab>
          <Tabs.Tab value="limits">Limits and approvals</Tabs.Tab>
          <Tabs.Tab value="access">Access</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="profile" pt="md">
          <SubaccountProfileTab key={id} settings={data} />
        </Tabs.Panel>
        {!is_closed && (
          <Tabs.Panel value="funding" pt="md">
            <HowToFund />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="events" pt="md">
          <EventSettingsTab settings={data} />
        </Tabs.Panel>
        <Tabs.Panel value="limits" pt="md">
          <LimitsTab key={id} />
        </Tabs.Panel>
        <Tabs.Panel value="access" pt="md">
          <AccessTab settings={data} />
        </Tabs.Panel>
      </Tabs>
    </Screen>
  );
}
