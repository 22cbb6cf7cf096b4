// The start page while there is no subaccount.

import { useMay } from "../api/me.ts";
import { Empty } from "../parts/empty.tsx";
import { Panel } from "../parts/panel.tsx";
import { Screen } from "../parts/screen.tsx";
import { NewSubaccount } from "../settings/new-subaccount.tsx";
import { shellTexts } from "../texts/shell.ts";

export function NoSubaccount() {
  const mayCreate = useMay("subaccounts.create");
  return (
    <Screen title={shellTexts.welcome}>
      <Panel flush>
        <Empty
          title={shellTexts.noSubaccountsYet}
          hint={shellTexts.everyPayoutReceiverAndKeyBelongs(mayCreate)}
        />
      </Panel>
      {mayCreate && <NewSubaccount />}
    </Screen>
  );
}
