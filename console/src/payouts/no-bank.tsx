// Shown instead of the form where every payout would be refused.

import { Alert } from "@mantine/core";

export function NoBank() {
  return (
    <Alert color="yellow" title="No bank is connected for live payouts">
      Payouts of this subaccount are refused (PAYO228) until a bank is connected. Use a subaccount
      in test mode to pay through the sandbox bank.
    </Alert>
  );
}
