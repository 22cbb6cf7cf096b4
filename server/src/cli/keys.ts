// disburse keys create | list | rotate | revoke

import { type Command, InvalidArgumentError } from "commander";
import ipaddr from "ipaddr.js";
import { isUuid } from "../ids.ts";
import { limits } from "../limits.ts";
import { createKey } from "../subaccounts/create-key.ts";
import { listKeys } from "../subaccounts/queries.ts";
import { revokeKey } from "../subaccounts/revoke-key.ts";
import { rotateKey } from "../subaccounts/rotate-key.ts";
import { type Scope, scopes } from "../subaccounts/subaccount.ts";
import { withDatabase } from "./database.ts";
import { readGrace } from "./option-values.ts";
import { print } from "./output.ts";
import { exitCodes, Stop } from "./stop.ts";

type Json = { json?: boolean };
type CreateOptions = Json & {
  subaccount: string;
  name: string;
  scopes: Scope[];
  addresses: string[];
  expires?: Date;
  version2Only?: boolean;
};

export function keysCommand(program: Command): void {
  const keys = program.command("keys").description("API keys and their secrets");

  keys
    .command("create")
    .description("issue a key; its secret is shown this once")
    .requiredOption("--subaccount <id>", "the subaccount that it acts for")
    .option("--name <name>", "what it is used for", "unnamed")
    .option("--scopes <list>", "of read, write, payout", readScopes, [...scopes])
    .option("--addresses <list>", "addresses or CIDR ranges it may call from", readAddresses, [])
    .option("--expires <date>", "day or time after which it stops", readDate)
    .option("--version2-only", "refuse version 1 signatures")
    .option("--json", "print JSON")
    .action(({ json, subaccount, expires, ...wish }: CreateOptions) =>
      withDatabase("keys create", async (opened) => {
        const issued = isUuid(subaccount)
          ? await createKey(opened, { ...wish, subaccountId: subaccount, expiresAt: expires })
          : undefined;
        if (!issued) {
          throw new Stop(`There is no open subaccount ${subaccount}.`, exitCodes.notFound);
        }
        print(
          {
            subaccount_id: issued.subaccountId,
            name: wish.name,
            scopes: wish.scopes,
            api_key: issued.key,
            api_secret: issued.secret,
          },
          { json },
        );
      }),
    );

  keys
    .command("list")
    .description("keys with their live secrets' dates, never the secrets")
    .option("--subaccount <id>", "only of this subaccount", readUuid)
    .option("--json", "print JSON")
    .action(({ json, subaccount }: Json & { subaccount?: string }) =>
      withDatabase("keys list", async ({ db }) => print(await listKeys(db, subaccount), { json })),
    );

  keys
    .command("rotate <api-key>")
    .description("issue a second secret; the first goes on for the grace")
    .option(
      "--grace <time>",
      "0 to 7d, such as 90s, 30m, 24h",
      readGrace,
      limits.rotationGraceDefaultMs,
    )
    .option("--json", "print JSON")
    .action((key: string, { json, grace }: Json & { grace: number }) =>
      withDatabase("keys rotate", async (opened) => {
        const secret = await rotateKey(opened, { key, graceMs: grace });
        if (!secret) throw new Stop(`There is no live key ${key}.`, exitCodes.notFound);
        print({ api_key: key, api_secret: secret, grace_seconds: grace / 1000 }, { json });
      }),
    );

  keys
    .command("revoke <api-key>")
    .description("end a key for good; every process stops taking it within a second")
    .option("--json", "print JSON")
    .action((key: string, { json }: Json) =>
      withDatabase("keys revoke", async ({ db }) => {
        if (!(await revokeKey(db, key))) {
          throw new Stop(`There is no key ${key}.`, exitCodes.notFound);
        }
        print({ api_key: key, revoked: true }, { json });
      }),
    );
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
    throw new InvalidArgumentError("Give addresses or CIDR ranges, such as 203.0.113.0/24.");
  }
  return list;
}

function readDate(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime()) || date.getTime() < Date.now()) {
    throw new InvalidArgumentError("Give a time to come, such as 2030-01-31.");
  }
  return date;
}

function readUuid(text: string): string {
  if (!isUuid(text)) throw new InvalidArgumentError("Give a subaccount's id.");
  return text;
}
