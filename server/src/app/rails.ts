// The rails of this installation. A bank that is connected gets its entry here.

import type { Config } from "../config.ts";
import { type RailDirectory, railDirectory } from "../rails/directory.ts";
import { sandboxRail } from "../rails/sandbox.ts";

export function railsOf({ sandboxBankDelayMs }: Config): RailDirectory {
  return railDirectory([{ mode: "test", rail: sandboxRail({ delayMs: sandboxBankDelayMs }) }]);
}
