// The rails that need no bank connection: the sandbox. Bank connections are added while the service runs (banks/connections.ts).

import type { Config } from "../config.ts";
import { type RailDirectory, railDirectory } from "../rails/directory.ts";
import { sandboxRail } from "../rails/sandbox.ts";

export function railsOf({ sandboxBankDelayMs }: Config): RailDirectory {
  return railDirectory([{ mode: "test", rail: sandboxRail({ delayMs: sandboxBankDelayMs }) }]);
}
