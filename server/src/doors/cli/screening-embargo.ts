// disburse screening embargo list | add | remove: embargoed countries.

import { type Command, InvalidArgumentError, Option } from "commander";
import {
  embargoCountry,
  endEmbargo,
  isCalendarDay,
  listEmbargoes,
} from "../../people/sanctions-lists/index.ts";
import { actCommand } from "./act-command.ts";
import { withDatabase } from "./database.ts";
import { print } from "./output.ts";
import { showImport } from "./screening-lists.ts";

export function addEmbargoCommands(screening: Command): void {
  const embargo = screening
    .command("embargo")
    .description("countries to which nothing is paid without a review");

  embargo
    .command("list")
    .description("the embargoed countries, each with its source and date")
    .option("--json", "print JSON")
    .action((options: { json?: boolean }) =>
      withDatabase("screening embargo list", async ({ db }) =>
        print(await listEmbargoes(db), options),
      ),
    );

  const since = new Option("--since <day>", "the day from which it applies, such as 2026-11-30");
  actCommand(embargo, "add <country>", embargoCountry, {
    options: [since.argParser(readDay).makeOptionMandatory()],
    show: showImport,
  });
  actCommand(embargo, "remove <country>", endEmbargo, { show: showImport });
}

function readDay(text: string): string {
  if (isCalendarDay(text)) return text;
  throw new InvalidArgumentError("Give a day such as 2026-11-30.");
}
