// disburse banks list | formats | put | disable. The commands about folders are in bank-folders.ts.

import type { Command } from "commander";
import {
  askChangedBank,
  askNewBank,
  bankFormats,
  describeConnection,
  disableBank,
  fieldsToReplace,
  listConnections,
  openWindow,
  putBank,
  toConnection,
} from "../../banking/connections/index.ts";
import type { Fields } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { actCommand, type Context, performAct } from "./act-command.ts";
import { type BankOptions, cantDecrypt, withBankContext } from "./bank-context.ts";
import { addCsvMappingCommand } from "./bank-csv-mapping.ts";
import { addBankFolderCommands, folderFacts } from "./bank-folders.ts";
import { readFileSync } from "./local-files.ts";
import { print, type Shown, time } from "./output.ts";
import { stderr } from "./terminal.ts";

export function addBankCommands(banks: Command): void {
  banks
    .command("list")
    .description("the bank connections, and when each freezes its next file")
    .option("--json", "print JSON")
    .action((options: BankOptions) =>
      withBankContext("banks list", options, async ({ db, seal }) => {
        const rows = await listConnections(db);
        const found = rows.flatMap((row) => toConnection(row, seal) ?? []);
        const shown = await Promise.all(
          found.map(async (connection) => {
            const window = openWindow(connection, Date.now());
            return {
              ...describeConnection(connection.row),
              process_date: window.processDate,
              freezes_at: time(String(window.freezesAtMs)),
              ...(await folderFacts(db, connection)),
            };
          }),
        );
        const readable = new Set(found.map(({ id }) => id));
        const others = rows.filter(({ id }) => !readable.has(id));
        print([...shown, ...others.map(describeConnection)], options);
        const names = others.map(({ name }) => name).join(", ");
        if (names !== "") throw new CliError(cantDecrypt(names));
      }),
    );

  banks
    .command("formats")
    .description("the formats of bank files, and the settings that each needs")
    .option("--json", "print JSON")
    .action((options: BankOptions) => {
      const shown = [...bankFormats].flatMap(([format, { settings }]) =>
        Object.entries(settings.properties).map(([setting, schema]) => ({
          format,
          setting,
          meaning: (schema as { description?: string }).description,
        })),
      );
      print(shown, options);
    });

  actCommand(banks, "put <file>", putBank, {
    fields: { file: "fields" },
    read: ({ fields: file }) => ({ fields: readFields(String(file)) }),
    overHttp: { act: askChangedBank, perform: askPut },
  }).aliases(["add", "change"]);

  actCommand(banks, "disable <name>", disableBank, {
    fields: { name: "id" },
    async read({ id: name }, { db }) {
      const row = (await listConnections(db)).find((one) => one.name === name);
      if (!row) throw new Refusal("BANK102");
      return { id: row.id };
    },
    show: (row) => ({ ...row, disabled: true }),
  });

  addBankFolderCommands(banks);
  addCsvMappingCommand(banks);
}

/** Users ask for it at the console, and another admin approves it. */
async function askPut(context: Context, { fields }: Fields): Promise<Shown> {
  const given = fields as Fields;
  const row = (await listConnections(context.db)).find(({ name }) => name === given.name);
  const connection = row && toConnection(row, context.seal);
  if (row && !connection) throw new CliError(cantDecrypt(row.name));
  const asked = connection
    ? { id: connection.id, fields: fieldsToReplace(connection, given) }
    : undefined;
  const { id } = asked
    ? await performAct(askChangedBank, context, asked)
    : await performAct(askNewBank, context, { fields: given });
  stderr.write("Nothing is changed yet: another admin approves it on Approvals.\n");
  return { name: given.name as string, request_id: id };
}

function readFields(file: string): Fields {
  try {
    const content: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof content === "object" && content !== null && !Array.isArray(content)) {
      return content as Fields;
    }
  } catch (error) {
    const { code = "it is not JSON" } = error as NodeJS.ErrnoException;
    throw new CliError(`${file} can't be read: ${code}.`, exitCodes.usage);
  }
  throw new CliError(`${file} holds no JSON object.`, exitCodes.usage);
}
