// disburse events list | get | resend | recover | trigger | listen

import type { Command } from "commander";
import { changeEventCommands } from "./events-change.ts";
import { listenToEventsCommand } from "./events-listen.ts";
import { readEventCommands } from "./events-read.ts";

export function addEventCommands(events: Command): void {
  readEventCommands(events);
  changeEventCommands(events);
  listenToEventsCommand(events);
}
