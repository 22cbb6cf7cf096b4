// Shown instead of the form where every payout would be refused.

import { Alert } from "@mantine/core";
import { payoutsTexts } from "../texts/payouts.ts";

export function NoBank() {
  return (
    <Alert color="yellow" title={payoutsTexts.noBankIsConnectedForLive}>
      {payoutsTexts.payoutsOfThisSubaccountAreRefused}
    </Alert>
  );
}
