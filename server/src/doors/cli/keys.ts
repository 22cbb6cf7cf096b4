// disburse keys create | list | rename | rotate | revoke

import { type Command, InvalidArgumentError, Option } from "commander";
import { hasThreshold } from "../../money/payouts/index.ts";
import { isAddressOrRange } from "../../platform/addresses/index.ts";
import { type Scope, scopes } from "../../platform/base/index.ts";
import type { Fields } from "../../platform/fields/index.ts";
import { limits } from "../../platform/limits/index.ts";
import {
  createApiKey,
  listKeys,
  renameApiKey,
  revokeApiKey,
  rotateApiKey,
  usualScopes,
} from "../../tenants/api-keys/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { actCommand, type Context } from "./act-command.ts";
import type { CommandContext } from "./command-context.ts";
import { withDatabase } from "./database.ts";
import { readGrace, readLine, readUuid } from "./option-values.ts";
import { print } from "./output.ts";

type Json = { json?: boolean };

const thresholds = () => ({ hasThreshold });

export function addKeyCommands(keys: Command): void {
  actCommand(keys, "create", createApiKey, {
    fields: { expires: "expires_at" },
    options: [
      new Option("--name <name>", "what it is used for")
        .argParser(readLine(100))
        .default("unnamed"),
      new Option("--scopes <list>", `any of ${scopes.join(", ")}, separated by commas`)
        .argParser(readScopes)
        .default([...usualScopes]),
      new Option("--addresses <list>", "IP addresses or CIDR ranges that may use the key")
        .argParser(readAddresses)
        .default([]),
      new Option("--expires <date>", "day or time at which the key expires").argParser(readDate),
      new Option("--version2-only", "refuse version 1 signatures"),
    ],
    read(given, context) {
      const { isClosed, subaccountId } = context as CommandContext;
      if (!isClosed) return given;
      throw new CliError(`There is no open subaccount ${subaccountId}.`, exitCodes.notFound);
    },
    parts: thresholds,
    show: ({ key, secret }, context, _, { name, scopes }) => ({
      subaccount_id: (context as CommandContext).subaccountId,
      name: String(name),
      scopes: scopes as Scope[],
      api_key: key,
      api_secret: secret,
    }),
  });

  keys
    .command("list")
    .description("list keys and the dates of their secrets; secrets are never shown")
    .option("--subaccount <id>", "only of this subaccount", readUuid)
    .option("--json", "print JSON")
    .action(({ json, subaccount }: Json & { subaccount?: string }) =>
      withDatabase("keys list", async ({ db }) => print(await listKeys(db, subaccount), { json })),
    );

  actCommand(keys, "rename <api-key> <name>", renameApiKey, {
    fields: { "api-key": "key" },
    object: "key",
    read: (given, context) => existingKey(given, context, "live key"),
    show: (_, __, ___, { key, name }) => ({ api_key: key, name }),
  });

  actCommand(keys, "rotate <api-key>", rotateApiKey, {
    fields: { "api-key": "key", grace: "grace_ms" },
    options: [
      new Option("--grace <time>", "how long: 0 to 7d, such as 90s, 30m, 24h")
        .argParser(readGrace)
        .default(limits.rotationGraceDefaultMs),
    ],
    object: "key",
    read: (given, context) => existingKey(given, context, "live key"),
    parts: thresholds,
    show: ({ key, secret }, _, __, { grace_ms }) => ({
      api_key: key,
      api_secret: secret,
      grace_seconds: Number(grace_ms) / 1000,
    }),
  });

  actCommand(keys, "revoke <api-key>", revokeApiKey, {
    fields: { "api-key": "key" },
    object: "key",
    read: (given, context) => existingKey(given, context, "key"),
    show: (_, __, ___, { key }) => ({ api_key: key, revoked: true }),
  });
}

async function existingKey(given: Fields, { db }: Context, what: "key" | "live key") {
  const found = (await listKeys(db, undefined)).find(({ api_key }) => api_key === given.key);
  if (found && (what === "key" || !found.revoked_at)) return given;
  // As for a key of no subaccount, which is looked for before.
  throw new CliError(`There is no ${found ? what : "key"} ${given.key}.`, exitCodes.notFound);
}

function readScopes(text: string): Scope[] {
  return text.split(",").map((part) => {
    const scope = scopes.find((known) => known === part.trim());
    if (!scope) throw new InvalidArgumentError(`Each must be one of ${scopes.join(", ")}.`);
    return scope;
  });
}

function readAddresses(text: string): string[] {
  const list = text.split(",").map((part) => part.trim());
  if (!list.every(isAddressOrRange)) {
    throw new InvalidArgumentError("Give IP addresses or CIDR ranges, such as 203.0.113.0/24.");
  }
  return list;
}

function readDate(text: string): number {
  const date = new Date(text);
  if (Number.isNaN(date.getTime()) || date.getTime() < Date.now()) {
    throw new InvalidArgumentError("Give a day or time in the future, such as 2030-01-31.");
  }
  return date.getTime();
}
