// The start page while there is no subaccount.

import { Empty } from "../parts/empty.tsx";
import { Panel } from "../parts/panel.tsx";
import { Screen } from "../parts/screen.tsx";
import { shellTexts } from "../texts/shell.ts";

export function NoSubaccount() {
  return (
    <Screen title={shellTexts.welcome}>
      <Panel flush>
        <Empty
          title={shellTexts.noSubaccountsYet}
          hint={shellTexts.everyPayoutReceiverAndKeyBelongs}
          line="./disburse subaccount create --name NAME --mode test"
        />
      </Panel>
    </Screen>
  );
}
