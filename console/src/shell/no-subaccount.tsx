// The start of a console that has no subaccount yet.

import { Empty } from "../parts/empty.tsx";
import { Panel } from "../parts/panel.tsx";
import { Screen } from "../parts/screen.tsx";

export function NoSubaccount() {
  return (
    <Screen title="Welcome">
      <Panel flush>
        <Empty
          title="There is no subaccount yet"
          hint="Everything that Disburse does belongs to a subaccount. Make one, and its pages appear here."
          line="./disburse subaccount create --name NAME --mode test"
        />
      </Panel>
    </Screen>
  );
}
