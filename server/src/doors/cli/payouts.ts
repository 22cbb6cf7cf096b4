// disburse payouts list | get | create | validate | cancel | release | refuse | template | import

import type { Command } from "commander";
import { importPayoutsCommand } from "./import-payouts.ts";
import { changePayoutCommands } from "./payouts-change.ts";
import { readPayoutCommands } from "./payouts-read.ts";

export function addPayoutCommands(payouts: Command): void {
  for (const add of [readPayoutCommands, changePayoutCommands, importPayoutsCommand]) {
    add(payouts);
  }
}
