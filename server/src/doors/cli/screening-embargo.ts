// disburse screening embargo list | add | remove: embargoed countries.

import type { Command } from "commander";
import { InvalidArgumentError } from "commander";
import {
  addEmbargo,
  type ImportOutcome,
  importNote,
  listEmbargoes,
  removeEmbargo,
} from "../../people/sanctions-lists/index.ts";
import { byOption } from "./command-actor.ts";
import { readLine } from "./option-values.ts";
import { print } from "./output.ts";
import { type ListOptions, printImport, withListContext } from "./screening-lists.ts";

export function addEmbargoCommands(screening: Command): void {
  const embargo = screening
    .command("embargo")
    .description("countries to which nothing is paid without a review");

  embargo
    .command("list")
    .description("the embargoed countries, each with its source and date")
    .option("--json", "print JSON")
    .action((options: ListOptions) =>
      withListContext("screening embargo list", options, async ({ db }) =>
        print(await listEmbargoes(db), options),
      ),
    );

  const add = embargo
    .command("add <country>")
    .description("add a country, by its alpha-3 code; it is in force at once")
    .requiredOption("--source <text>", "the law or the decision", readLine(300))
    .requiredOption("--since <day>", "the day from which it applies, such as 2026-11-30", readDay)
    .option("--json", "print JSON");
  byOption(add).action(
    (country: string, options: ListOptions & { source: string; since: string }) =>
      withListContext("screening embargo add", options, async ({ actor, audit }) => {
        const { source, since } = options;
        const result = await audit.transaction<ImportOutcome>(importNote, (tx) =>
          addEmbargo(
            tx,
            { country: country.toUpperCase(), source, since },
            { who: actor.who, atMs: Date.now() },
          ),
        );
        printImport(result, options);
      }),
  );

  const remove = embargo
    .command("remove <country>")
    .description("remove a country; another user has to approve it")
    .option("--json", "print JSON");
  byOption(remove).action((country: string, options: ListOptions) =>
    withListContext("screening embargo remove", options, async ({ actor, audit }) => {
      const result = await audit.transaction<ImportOutcome>(importNote, (tx) =>
        removeEmbargo(tx, country.toUpperCase(), { who: actor.who, atMs: Date.now() }),
      );
      printImport(result, options);
    }),
  );
}

function readDay(text: string): string {
  const ms = Date.parse(`${text}T00:00:00Z`);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(ms);
  if (isDay && new Date(ms).toISOString().startsWith(text)) return text;
  throw new InvalidArgumentError("Give a day such as 2026-11-30.");
}
