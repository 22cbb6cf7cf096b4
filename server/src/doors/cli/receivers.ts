// disburse receivers list | get | create | disable | enable | kyc | kyc-link | import | erase | export-person

import type { Command } from "commander";
import { importReceiversCommand } from "./import-receivers.ts";
import { changeReceiverCommands } from "./receivers-change.ts";
import { personCommands } from "./receivers-person.ts";
import { readReceiverCommands } from "./receivers-read.ts";

export function addReceiverCommands(receivers: Command): void {
  for (const add of [
    readReceiverCommands,
    changeReceiverCommands,
    importReceiversCommand,
    personCommands,
  ]) {
    add(receivers);
  }
}
