// The subaccount's settings: who it is, what it hears of, and what it may do.

import { Tabs } from "@mantine/core";
import type { Settings } from "@server/console/settings/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { useApiOf, useSubaccount } from "../api/me.ts";
import { Problem } from "../parts/problem.tsx";
import { Screen } from "../parts/screen.tsx";
import { PageLoading } from "../shell/page-states.tsx";
import { useFilters } from "../state/filters.ts";
import { AccessTab } from "./access-tab.tsx";
import { EventSettingsTab } from "./events-tab.tsx";
import { LimitsTab } from "./limits-tab.tsx";
import { SubaccountProfileTab } from "./profile-tab.tsx";

export function SettingsScreen() {
  const { id } = useSubaccount();
  const apiOf = useApiOf();
  const [{ tab = "profile" }, setFilters] = useFilters();
  const { data, error, refetch } = useQuery({
    queryKey: [id, "settings"],
    queryFn: ({ signal }) => get<Settings>(apiOf("/settings"), {}, signal),
  });
  const choose = (chosen: string | null) =>
    setFilters({ tab: chosen === "profile" ? undefined : (chosen ?? undefined) });
  if (!data) {
    return (
      <Screen title="Settings">
        {error ? <Problem error={error} onRetry={() => void refetch()} /> : <PageLoading />}
      </Screen>
    );
  }
  return (
    <Screen title="Settings">
      <Tabs value={tab} onChange={choose}>
        <Tabs.List>
          <Tabs.Tab value="profile">Profile</Tabs.Tab>
          <Tabs.Tab value="events">Events and retries</Tabs.Tab>
          <Tabs.Tab value="limits">Limits and approvals</Tabs.Tab>
          <Tabs.Tab value="access">Access</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="profile" pt="md">
          <SubaccountProfileTab key={id} settings={data} />
        </Tabs.Panel>
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
