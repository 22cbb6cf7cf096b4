// What was asked of the interface, and answered: all of it as it comes, and what went wrong by its kind.

import { Switch, Tabs } from "@mantine/core";
import { useApiOf } from "../api/me.ts";
import { ExportButton } from "../parts/export-button.tsx";
import { Screen } from "../parts/screen.tsx";
import { useFilters } from "../state/filters.ts";
import { useZone } from "../state/zone.ts";
import { ErrorsTab } from "./errors-tab.tsx";
import { filterNames, requestQueryOf } from "./filters.ts";
import { RequestsTab } from "./requests-tab.tsx";

export function RequestsScreen() {
  const apiOf = useApiOf();
  const zone = useZone();
  const [values, setValues] = useFilters();
  const { tab = "all", tail } = values;
  // What one tab filters by means nothing to the other.
  const choose = (chosen: string | null) =>
    setValues({
      ...Object.fromEntries([...filterNames, "within"].map((name) => [name, undefined])),
      tab: chosen === "errors" ? "errors" : undefined,
    });
  return (
    <Screen
      title="API requests"
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
          <Tabs.Tab value="errors">Grouped errors</Tabs.Tab>
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
