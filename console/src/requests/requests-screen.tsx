// The API request log: all requests live, and errors grouped.

import { Switch, Tabs } from "@mantine/core";
import { useApiOf } from "../api/me.ts";
import { ExportButton } from "../parts/export-button.tsx";
import { Screen } from "../parts/screen.tsx";
import { useFilters } from "../state/filters.ts";
import { useTab } from "../state/tab.ts";
import { useZone } from "../state/zone.ts";
import { requestsTexts } from "../texts/requests.ts";
import { ErrorsTab } from "./errors-tab.tsx";
import { filterNames, requestQueryOf } from "./filters.ts";
import { RequestsTab } from "./requests-tab.tsx";

export function RequestsScreen() {
  const apiOf = useApiOf();
  const zone = useZone();
  const [values, setValues] = useFilters();
  const { tail } = values;
  const [tab, choose] = useTab(["all", "errors"], { cleared: [...filterNames, "within"] });
  return (
    <Screen
      actions={
        tab === "all" && (
          <>
            <Switch
              label="Live tail"
              checked={tail !== "off"}
              onChange={({ currentTarget: { checked } }) =>
                setValues({ tail: checked ? undefined : "off" })
              }
            />
            <ExportButton path={apiOf("/requests.csv")} query={requestQueryOf(values, zone)} />
          </>
        )
      }
    >
      <Tabs value={tab} onChange={choose}>
        <Tabs.List>
          <Tabs.Tab value="all">All</Tabs.Tab>
          <Tabs.Tab value="errors">{requestsTexts.groupedErrors}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="all" pt="md">
          <RequestsTab isLive={tail !== "off"} />
        </Tabs.Panel>
        <Tabs.Panel value="errors" pt="md">
          <ErrorsTab />
        </Tabs.Panel>
      </Tabs>
    </Screen>
  );
}
