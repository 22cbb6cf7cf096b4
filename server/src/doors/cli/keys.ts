// disburse keys create | list | rotate | revoke

import { type Command, InvalidArgumentError } from "commander";
import ipaddr from "ipaddr.js";
import { isUuid, type Scope, scopes } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import {
  type IssuedKey,
  type KeySummary,
  listKeys,
  revokeKey,
  rotateKey,
  usualScopes,
} from "../../tenants/api-keys/index.ts";
import { type AuditNote, audited } from "../../tenants/audit/index.ts";
import { createKey } from "../../tenants/subaccounts/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { byOption, commandActor } from "./command-actor.ts";
import { withDatabase } from "./database.ts";
import { readGrace, readUuid } from "./option-values.ts";
import { print } from "./output.ts";

type Json = { json?: boolean };
type Write = Json & { by?: string };
type CreateOptions = Write & {
  subaccount: string;
  name: string;
  scopes: Scope[];
  addresses: string[];
  expires?: Date;
  version2Only?: boolean;
};

export function addKeyCommands(keys: Command): void {
  const create = keys
    .command("create")
    .description("create a key; its secret is shown only once")
    .requiredOption("--subaccount <id>", "the subaccount of the key")
    .option("--name <name>", "what it is used for", "unnamed")
    .option("--scopes <list>", `any of ${scopes.join(", ")}, separated by commas`, readScopes, [
      ...usualScopes,
    ])
    .option(
      "--addresses <list>",
      "IP addresses or CIDR ranges that may use the key",
      readAddresses,
      [],
    )
    .option("--expires <date>", "day or time at which the key expires", readDate)
    .option("--version2-only", "refuse version 1 signatures")
    .option("--json", "print JSON");
  byOption(create).action(({ json, by, subaccount, expires, ...settings }: CreateOptions) =>
    withDatabase("keys create", async (opened) => {
      const actor = await commandActor(opened.db, by);
      const auditedDb = audited(opened, actor).db<IssuedKey>(({ key, subaccountId }) =>
        actOn(
          "key.create",
          { api_key: key, subaccount_id: subaccountId },
          { ...settings, expires },
        ),
      );
      const issued = isUuid(subaccount)
        ? await createKey(
            { db: auditedDb, seal: opened.seal },
            {
              ...settings,
              subaccountId: subaccount,
              expiresAt: expires,
              seenBy: actor.who,
            },
          )
        : undefined;
      if (!issued) {
        throw new CliError(`There is no open subaccount ${subaccount}.`, exitCodes.notFound);
      }
      print(
        {
          subaccount_id: issued.subaccountId,
          name: settings.name,
          scopes: settings.scopes,
          api_key: issued.key,
          api_secret: issued.secret,
        },
        { json },
      );
    }),
  );

  keys
    .command("list")
    .description("list keys and the dates of their secrets; secrets are never shown")
    .option("--subaccount <id>", "only of this subaccount", readUuid)
    .option("--json", "print JSON")
    .action(({ json, subaccount }: Json & { subaccount?: string }) =>
      withDatabase("keys list", async ({ db }) => print(await listKeys(db, subaccount), { json })),
    );

  const rotate = keys
    .command("rotate <api-key>")
    .description("create a new secret; the previous one stays valid for --grace")
    .option(
      "--grace <time>",
      "how long: 0 to 7d, such as 90s, 30m, 24h",
      readGrace,
      limits.rotationGraceDefaultMs,
    )
    .option("--json", "print JSON");
  byOption(rotate).action((key: string, { json, by, grace }: Write & { grace: number }) =>
    withDatabase("keys rotate", async (opened) => {
      const actor = await commandActor(opened.db, by);
      const { db, seal } = opened;
      const found = await findKey(db, key);
      const grace_seconds = grace / 1000;
      const auditedDb = audited(opened, actor).db<string | undefined>((secret) =>
        secret && found ? actOn("key.rotate", found, { grace_seconds }) : undefined,
      );
      const secret = await rotateKey(
        { db: auditedDb, seal },
        { key, graceMs: grace, seenBy: actor.who },
      );
      if (!secret) throw new CliError(`There is no live key ${key}.`, exitCodes.notFound);
      print({ api_key: key, api_secret: secret, grace_seconds }, { json });
    }),
  );

  const revoke = keys
    .command("revoke <api-key>")
    .description("revoke a key for good; every process refuses it within a second")
    .option("--json", "print JSON");
  byOption(revoke).action((key: string, { json, by }: Write) =>
    withDatabase("keys revoke", async (opened) => {
      const actor = await commandActor(opened.db, by);
      const found = await findKey(opened.db, key);
      const auditedDb = audited(opened, actor).db<boolean>((isRevoked) =>
        isRevoked && found ? actOn("key.revoke", found) : undefined,
      );
      if (!(await revokeKey(auditedDb, key))) {
        throw new CliError(`There is no key ${key}.`, exitCodes.notFound);
      }
      print({ api_key: key, revoked: true }, { json });
    }),
  );
}

type Key = Pick<KeySummary, "api_key" | "subaccount_id">;

async function findKey(db: Db, key: string): Promise<Key | undefined> {
  return (await listKeys(db, undefined)).find(({ api_key }) => api_key === key);
}

function actOn(
  action: string,
  { api_key: id, subaccount_id }: Key,
  after: AuditNote["after"] = {},
): AuditNote {
  return { action, object: { kind: "api_key", id }, subaccountId: subaccount_id, after };
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
  if (!list.every((part) => ipaddr.isValidCIDR(part) || ipaddr.isValid(part))) {
    throw new InvalidArgumentError("Give IP addresses or CIDR ranges, such as 203.0.113.0/24.");
  }
  return list;
}

function readDate(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime()) || date.getTime() < Date.now()) {
    throw new InvalidArgumentError("Give a day or time in the future, such as 2030-01-31.");
  }
  return date;
}
