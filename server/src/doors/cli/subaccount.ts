// disburse subaccount create | list | show | close | set-statement-name | set-postback | set-event-types |
// rotate-postback-secret | move | purge

import { type Command, Option } from "commander";
import { isUuid } from "../../platform/base/index.ts";
import { onRequestTypes } from "../../platform/event-catalogue/index.ts";
import { limits } from "../../platform/limits/index.ts";
import {
  closeForGood,
  findSubaccount,
  listSubaccounts,
  setStatementName,
} from "../../tenants/subaccounts/index.ts";
import {
  registerSubaccount,
  rotateWebhookSecret,
  setWebhookTypes,
  setWebhookUrl,
} from "../../webhooks/webhook-endpoints/index.ts";
import { CliError, configuration, exitCodes } from "../setup/index.ts";
import { actCommand, type Context } from "./act-command.ts";
import { byOption } from "./command-actor.ts";
import type { CommandContext } from "./command-context.ts";
import { withDatabase } from "./database.ts";
import { readGrace, readLevels, readLine } from "./option-values.ts";
import { print } from "./output.ts";
import type { MoveOptions } from "./subaccount-move.ts";

type Json = { json?: boolean };
type Write = Json & { by?: string };

export function addSubaccountCommands(subaccount: Command): void {
  const addresses = () => ({ addresses: configuration().postbackAddresses });

  actCommand(subaccount, "create", registerSubaccount, {
    options: [
      new Option("--name <name>", "name of the subaccount")
        .argParser(readLine(100))
        .makeOptionMandatory(),
      new Option("--postback-url <url>", "webhook URL for its events"),
    ],
    parts: addresses,
    show: ({ id, name, mode, key, secret, webhook_secret }) => ({
      subaccount_id: id,
      name,
      mode,
      api_key: key,
      api_secret: secret,
      ...(webhook_secret && { webhook_secret }),
    }),
  });

  subaccount
    .command("list")
    .description("list all subaccounts, oldest first")
    .option("--json", "print JSON")
    .action(({ json }: Json) =>
      withDatabase("subaccount list", async ({ db }) => print(await listSubaccounts(db), { json })),
    );

  subaccount
    .command("show <subaccount-id>")
    .description("show a subaccount")
    .option("--json", "print JSON")
    .action((id: string, { json }: Json) =>
      withDatabase("subaccount show", async ({ db }) => {
        const found = isUuid(id) ? await findSubaccount(db, id) : undefined;
        if (!found) throw new CliError(`There is no subaccount ${id}.`, exitCodes.notFound);
        const { wire, mode, closedAt = null, statementName } = found;
        print({ ...wire, mode, statement_name: statementName, closed_at: closedAt }, { json });
      }),
    );

  actCommand(subaccount, "close <subaccount-id>", closeForGood, {
    show: (_, context) => ({ ...idOf(context), closed: true }),
  });

  actCommand(subaccount, "set-statement-name <subaccount-id> <name>", setStatementName, {
    readers: { name: readStatementName },
    show: (_, context, __, { name }) => ({ ...idOf(context), statement_name: name }),
  }).addHelpText("after", `\nThe name has at most ${limits.statementNameChars} characters.`);

  actCommand(subaccount, "set-postback <subaccount-id> <url>", setWebhookUrl, {
    worksWhenClosed: true,
    parts: addresses,
    show: (secret, context, _, { url }) => ({
      ...idOf(context),
      postback_url: url,
      ...(secret && { webhook_secret: secret }),
    }),
  });

  actCommand(subaccount, "set-event-types <subaccount-id> [types...]", setWebhookTypes, {
    worksWhenClosed: true,
    fields: { types: "event_types" },
    options: [
      new Option(
        "--event-metadata <yes-or-no>",
        "whether events carry the metadata of their object",
      ).choices(["yes", "no"]),
      new Option(
        "--balance-levels <currency=amount...>",
        "send balanceLow below these, such as AUD=5000.00; they replace the levels before",
      ).argParser(readLevels),
    ],
    read: ({ event_metadata: given, ...fields }) => ({
      ...fields,
      ...(given !== undefined && { event_metadata: given === "yes" }),
    }),
    show: (sent, context, { json }) => ({
      ...idOf(context),
      event_types: json ? sent : sent.join(", "),
    }),
  }).addHelpText("after", `\nExtra types: ${onRequestTypes.join(", ")}`);

  const overlap = new Option("--overlap <time>", "how long: 0 to 7d, such as 90s, 30m, 24h");
  actCommand(subaccount, "rotate-postback-secret <subaccount-id>", rotateWebhookSecret, {
    worksWhenClosed: true,
    fields: { overlap: "overlap_s" },
    options: [
      overlap
        .argParser((text) => readGrace(text) / 1000)
        .default(limits.rotationGraceDefaultMs / 1000),
    ],
    show: ({ secret }, context, _, { overlap_s }) => ({
      ...idOf(context),
      webhook_secret: secret,
      overlap_seconds: overlap_s,
    }),
  });

  byOption(
    subaccount
      .command("move <subaccount-id>")
      .description(
        "take a subaccount to another cell while it works; run it again to continue after a stop",
      )
      .requiredOption(
        "--to <cell>",
        "name of the cell, or default; DISBURSE_MOVE_TARGET_URL is its database",
      )
      .option(
        "--map <file>",
        "the edge's map of keys, to change at the switch; printed when absent",
      )
      .option("--audit-file <file>", "where to write its audit entries")
      .option("--abandon", "before the switch: end the move and leave nothing behind")
      .option("--json", "print JSON"),
  ).action(async (id: string, options: MoveOptions) =>
    (await import("./subaccount-move.ts")).runMove(id, options),
  );

  byOption(
    subaccount
      .command("purge <subaccount-id>")
      .description("delete the rows of a subaccount that has moved to another cell")
      .option("--json", "print JSON"),
  ).action(async (id: string, options: Write) =>
    (await import("./subaccount-move.ts")).runPurge(id, options),
  );
}

/** It may be empty. */
function readStatementName(text: string): string {
  return text.trim() === "" ? "" : readLine(limits.statementNameChars)(text);
}

/** As commands about one subaccount print it. */
function idOf(context: Context) {
  return { subaccount_id: (context as CommandContext).subaccountId };
}
