// The banks that payouts go to, by the mode of the subaccount.

import type { Config } from "../config.ts";
import type { PayoutParts } from "../payouts/create.ts";
import { sandboxRail } from "../rails/sandbox.ts";

export function railsOf({ sandboxBankDelayMs }: Config): PayoutParts["rails"] {
  return { test: sandboxRail({ delayMs: sandboxBankDelayMs }), live: undefined };
}
