// disburse subaccount create | list | show | close

import { type Command, Option } from "commander";
import { isUuid } from "../ids.ts";
import { closeSubaccount } from "../subaccounts/close.ts";
import { createSubaccount } from "../subaccounts/create.ts";
import {
  findSubaccount,
  listSubaccounts,
  type SubaccountDetails,
  subaccountColumns,
} from "../subaccounts/queries.ts";
import { type Mode, modes } from "../subaccounts/subaccount.ts";
import { withDatabase } from "./database.ts";
import { print } from "./output.ts";
import { exitCodes, Stop } from "./stop.ts";

type Json = { json?: boolean };

export function subaccountCommand(program: Command): void {
  const subaccount = program
    .command("subaccount")
    .description("the accounts that call the service");

  const create = subaccount
    .command("create")
    .description("create a subaccount and its first key; the secret is shown this once")
    .requiredOption("--name <name>", "name of the subaccount")
    .addOption(new Option("--mode <mode>", "for life").choices(modes).makeOptionMandatory())
    .option("--json", "print JSON");
  for (const column of subaccountColumns) {
    create.option(`--${column.replaceAll("_", "-")} <text>`, column.replaceAll("_", " "));
  }
  create.option("--postback-url <url>", "where its events go");
  create.action(async (options: Json & { name: string; mode: Mode } & Record<string, string>) => {
    const details: SubaccountDetails = {};
    for (const column of subaccountColumns) {
      const given = options[column.replace(/_(\w)/g, (_, letter) => letter.toUpperCase())];
      if (given !== undefined) details[column] = given;
    }
    const { name, mode, json, postbackUrl } = options;
    await withDatabase("subaccount create", async (opened) => {
      const issued = await createSubaccount(opened, {
        name,
        mode,
        details,
        ...(postbackUrl !== undefined && { postbackUrl }),
      });
      print(
        {
          subaccount_id: issued.subaccountId,
          name,
          mode,
          api_key: issued.key,
          api_secret: issued.secret,
        },
        { json },
      );
    });
  });

  subaccount
    .command("list")
    .description("all subaccounts, oldest first")
    .option("--json", "print JSON")
    .action(({ json }: Json) =>
      withDatabase("subaccount list", async ({ db }) => print(await listSubaccounts(db), { json })),
    );

  subaccount
    .command("show <subaccount-id>")
    .description("one subaccount as its callers see it")
    .option("--json", "print JSON")
    .action((id: string, { json }: Json) =>
      withDatabase("subaccount show", async ({ db }) => {
        const found = isUuid(id) ? await findSubaccount(db, id) : undefined;
        if (!found) throw new Stop(`There is no subaccount ${id}.`, exitCodes.notFound);
        print({ ...found.wire, mode: found.mode, closed_at: found.closedAt ?? null }, { json });
      }),
    );

  subaccount
    .command("close <subaccount-id>")
    .description("refuse its keys from now on; its data stays")
    .option("--json", "print JSON")
    .action((id: string, { json }: Json) =>
      withDatabase("subaccount close", async ({ db }) => {
        const found = isUuid(id) ? await findSubaccount(db, id) : undefined;
        if (!found) throw new Stop(`There is no subaccount ${id}.`, exitCodes.notFound);
        await closeSubaccount(db, id);
        print({ subaccount_id: id, closed: true }, { json });
      }),
    );
}
