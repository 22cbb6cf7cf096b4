// disburse subaccount create | list | show | close | set-statement-name | set-postback | set-event-types |
// rotate-postback-secret | move | purge

import { type Command, Option } from "commander";
import { isUuid, type Mode, modes } from "../../platform/base/index.ts";
import { onRequestTypes } from "../../platform/event-catalogue/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { IssuedKey } from "../../tenants/api-keys/index.ts";
import { type AuditNote, audited } from "../../tenants/audit/index.ts";
import {
  addSubaccount,
  closeSubaccount,
  type FoundSubaccount,
  findSubaccount,
  listSubaccounts,
  type SubaccountDetails,
  subaccountColumns,
  updateStatementName,
} from "../../tenants/subaccounts/index.ts";
import {
  rotateSecret,
  type SettingPostback,
  SubaccountChange,
  setEventTypes,
  setPostback,
} from "../../webhooks/webhook-endpoints/index.ts";
import type { Opened } from "../database/index.ts";
import { CliError, configuration, exitCodes } from "../setup/index.ts";
import { byOption, commandActor } from "./command-actor.ts";
import { withDatabase } from "./database.ts";
import { readGrace, readLine } from "./option-values.ts";
import { print } from "./output.ts";
import { checkedOrRefused } from "./schema-options.ts";
import type { MoveOptions } from "./subaccount-move.ts";

type Json = { json?: boolean };
type Write = Json & { by?: string };

export function addSubaccountCommands(subaccount: Command): void {
  const create = subaccount
    .command("create")
    .description("create a subaccount and its first key; the secret is shown only once")
    .requiredOption("--name <name>", "name of the subaccount")
    .addOption(
      new Option("--mode <mode>", "can't be changed later").choices(modes).makeOptionMandatory(),
    )
    .option("--json", "print JSON");
  for (const column of subaccountColumns) {
    create.option(`--${column.replaceAll("_", "-")} <text>`, column.replaceAll("_", " "));
  }
  byOption(create.option("--postback-url <url>", "webhook URL for its events"));
  create.action(async (options: Write & { name: string; mode: Mode } & Record<string, string>) => {
    const details: SubaccountDetails = {};
    for (const column of subaccountColumns) {
      const given = options[column.replace(/_(\w)/g, (_, letter) => letter.toUpperCase())];
      if (given !== undefined) details[column] = given;
    }
    const { name, mode, json, by, postbackUrl } = options;
    await withDatabase("subaccount create", async (opened) => {
      const actor = await commandActor(opened.db, by);
      const { issued, webhookSecret } = await audited(opened, actor).transaction<{
        issued: IssuedKey;
        webhookSecret: string | undefined;
      }>(
        ({ issued: { subaccountId } }) =>
          actOn("subaccount.create", subaccountId, { name, mode, postback_url: postbackUrl ?? "" }),
        async (tx) => {
          const sealing = { tx, seal: opened.seal };
          const issued = await addSubaccount(tx, opened.seal, {
            name,
            mode,
            details,
            seenBy: actor.who,
          });
          const webhookSecret =
            postbackUrl &&
            (await setPostback(sealing, issued.subaccountId, postbackUrl, setting()));
          return { issued, webhookSecret };
        },
      );
      print(
        {
          subaccount_id: issued.subaccountId,
          name,
          mode,
          api_key: issued.key,
          api_secret: issued.secret,
          ...(webhookSecret && { webhook_secret: webhookSecret }),
        },
        { json },
      );
    });
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
        const found = await requireSubaccount(db, id);
        const { wire, mode, closedAt = null, statementName } = found;
        print({ ...wire, mode, statement_name: statementName, closed_at: closedAt }, { json });
      }),
    );

  byOption(
    subaccount
      .command("close <subaccount-id>")
      .description("close a subaccount: its keys stop working, its data stays")
      .option("--json", "print JSON"),
  ).action((id: string, { json, by }: Write) =>
    withDatabase("subaccount close", async (opened) => {
      const actor = await commandActor(opened.db, by);
      await requireSubaccount(opened.db, id);
      const auditedDb = audited(opened, actor).db<boolean>((isClosed) =>
        isClosed ? actOn("subaccount.close", id) : undefined,
      );
      await closeSubaccount(auditedDb, id);
      print({ subaccount_id: id, closed: true }, { json });
    }),
  );

  byOption(
    subaccount
      .command("set-statement-name <subaccount-id>")
      .description(
        "set the payer's name that receivers see on their statements; '' to use the bank connection's",
      )
      .argument("<name>", `at most ${limits.statementNameChars} characters`, readStatementName)
      .option("--json", "print JSON"),
  ).action((id: string, name: string, { json, by }: Write) =>
    withDatabase("subaccount set-statement-name", async (opened) => {
      const actor = await commandActor(opened.db, by);
      const { statementName } = await requireSubaccount(opened.db, id);
      await audited(opened, actor).transaction(
        {
          ...actOn("subaccount.set_statement_name", id, { statement_name: name }),
          before: { statement_name: statementName },
        },
        (tx) => updateStatementName(tx, id, name),
      );
      print({ subaccount_id: id, statement_name: name }, { json });
    }),
  );

  byOption(
    subaccount
      .command("set-postback <subaccount-id> <url>")
      .description(
        "set the webhook URL for its events; '' removes it; the first secret is shown only once",
      )
      .option("--json", "print JSON"),
  ).action((id: string, url: string, { json, by }: Write) =>
    withDatabase("subaccount set-postback", async (opened) => {
      const actor = await commandActor(opened.db, by);
      const { wire } = await requireSubaccount(opened.db, id);
      const webhookSecret = await audited(opened, actor).transaction(
        {
          ...actOn("subaccount.set_postback", id, { postback_url: url }),
          before: { postback_url: wire.postback_url },
        },
        (tx) => setPostback({ tx, seal: opened.seal }, id, url, setting()),
      );
      const made = webhookSecret && { webhook_secret: webhookSecret };
      print({ subaccount_id: id, postback_url: url, ...made }, { json });
    }),
  );

  byOption(
    subaccount
      .command("set-event-types <subaccount-id> [types...]")
      .description(
        "choose which extra event types it receives; none to receive only the standard ones",
      )
      .addHelpText("after", `\nExtra types: ${onRequestTypes.join(", ")}`)
      .option("--json", "print JSON"),
  ).action((id: string, types: string[], { json, by }: Write) => {
    const { event_types = [] } = checkedOrRefused<SubaccountChange>(SubaccountChange, {
      event_types: types,
    });
    return withDatabase("subaccount set-event-types", async (opened) => {
      const actor = await commandActor(opened.db, by);
      await requireSubaccount(opened.db, id);
      const sent = await audited(opened, actor).transaction<string[]>(
        (sent) => actOn("subaccount.set_event_types", id, { event_types: sent.join(" ") }),
        (tx) => setEventTypes(tx, id, event_types),
      );
      print({ subaccount_id: id, event_types: json ? sent : sent.join(", ") }, { json });
    });
  });

  byOption(
    subaccount
      .command("rotate-postback-secret <subaccount-id>")
      .description(
        "create a new webhook secret, shown only once; the previous ones stay valid for --overlap",
      )
      .option(
        "--overlap <time>",
        "how long: 0 to 7d, such as 90s, 30m, 24h",
        readGrace,
        limits.rotationGraceDefaultMs,
      )
      .option("--json", "print JSON"),
  ).action((id: string, { json, by, overlap }: Write & { overlap: number }) =>
    withDatabase("subaccount rotate-postback-secret", async (opened) => {
      const actor = await commandActor(opened.db, by);
      const { db, seal } = opened;
      await requireSubaccount(db, id);
      const rotation = { overlapMs: overlap, nowMs: Date.now() };
      const overlap_seconds = overlap / 1000;
      const { secret } = await audited(opened, actor).transaction(
        actOn("subaccount.rotate_postback_secret", id, { overlap_seconds }),
        (tx) => rotateSecret({ tx, seal }, id, rotation),
      );
      print({ subaccount_id: id, webhook_secret: secret, overlap_seconds }, { json });
    }),
  );

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

function actOn(action: string, id: string, after: AuditNote["after"] = {}): AuditNote {
  return { action, object: { kind: "subaccount", id }, subaccountId: id, after };
}

function setting(): SettingPostback {
  return { addresses: configuration().postbackAddresses, nowMs: Date.now() };
}

async function requireSubaccount(db: Opened["db"], id: string): Promise<FoundSubaccount> {
  const found = isUuid(id) ? await findSubaccount(db, id) : undefined;
  if (!found) throw new CliError(`There is no subaccount ${id}.`, exitCodes.notFound);
  return found;
}
