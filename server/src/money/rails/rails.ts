// The rails that need no bank connection: the sandbox. Bank connections are added while the service runs (banking/connections/connections.ts).

import type { Config } from "../../platform/config/index.ts";
import { type RailDirectory, railDirectory } from "./directory.ts";
import { sandboxRail } from "./sandbox.ts";

export function railsOf({ sandboxBankDelayMs }: Config): RailDirectory {
  return railDirectory([{ mode: "test", rail: sandboxRail({ delayMs: sandboxBankDelayMs }) }]);
}
