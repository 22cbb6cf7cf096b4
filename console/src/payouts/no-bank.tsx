// Instead of a form whose payouts would all be refused: why.

import { Alert } from "@mantine/core";

export function NoBank() {
  return (
    <Alert color="yellow" title="No bank is connected for live payouts">
      Every payout of this subaccount would be refused (PAYO228). Live payouts are not possible
      until a bank can be connected. A sandbox subaccount pays through the sandbox bank.
    </Alert>
  );
}
