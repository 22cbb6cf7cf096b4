// The start page while there is no subaccount.

import { useMay } from "../api/me.ts";
import { Empty } from "../parts/empty.tsx";
import { Panel } from "../parts/panel.tsx";
import { Screen } from "../parts/screen.tsx";
import { NewSubaccount } from "../settings/new-subaccount.tsx";

export function NoSubaccount() {
  const mayCreate = useMay("subaccounts.create");
  return (
    <Screen title="Welcome">
      <Panel flush>
        <Empty
          title="No subaccounts yet"
          hint={`Every payout, receiver and key belongs to a subaccount. ${mayCreate ? "Create one" : "Ask an admin to create one"} to see its pages here.`}
        />
      </Panel>
      {mayCreate && <NewSubaccount />}
    </Screen>
  );
}
