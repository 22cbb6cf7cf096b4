// The API key of `events listen`: the one in the environment, or a new one for this session.

import type { DisburseOptions } from "../../../../client/src/index.ts";
import { hasThreshold } from "../../money/payouts/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { createApiKey, type IssuedSecret, revokeKey } from "../../tenants/api-keys/index.ts";
import { addressOf, CliError, configuration, exitCodes } from "../setup/index.ts";
import { performAct } from "./act-command.ts";
import { type ReadOptions, withCommandContext } from "./command-context.ts";
import { withDatabase } from "./database.ts";
import { userBaseUrl, userEnv } from "./environment.ts";
import { stderr } from "./terminal.ts";

const purpose = "events listen";

export type Access = Required<Pick<DisburseOptions, "apiKey" | "apiSecret" | "baseUrl">>;

export async function withAccess(
  options: ReadOptions,
  work: (access: Access) => Promise<void>,
): Promise<void> {
  const given = givenAccess(options);
  if (given) return work(given);
  const baseUrl = userBaseUrl() ?? configuredAddress();
  const issued = await issue(options);
  await work({ apiKey: issued.key, apiSecret: issued.secret, baseUrl }).finally(() =>
    revoke(issued.key),
  );
}

/** The key in the environment. Undefined if there is none. */
export function givenAccess(options: ReadOptions): Access | undefined {
  const apiKey = userEnv("DISBURSE_API_KEY");
  const apiSecret = userEnv("DISBURSE_API_SECRET");
  if (apiKey === undefined && apiSecret === undefined) return undefined;
  if (apiKey === undefined || apiSecret === undefined) {
    const why = "Set both DISBURSE_API_KEY and DISBURSE_API_SECRET, or neither.";
    throw new CliError(why, exitCodes.usage);
  }
  if (options.subaccount !== undefined) {
    const why = "DISBURSE_API_KEY belongs to one subaccount. Leave out --subaccount.";
    throw new CliError(why, exitCodes.usage);
  }
  return { apiKey, apiSecret, baseUrl: userBaseUrl() ?? configuredAddress() };
}

function configuredAddress(): string {
  const { host, port } = configuration();
  if (port !== 0) return addressOf(host, port);
  throw new CliError(
    "PORT is 0. Set DISBURSE_BASE_URL to the address of the service.",
    exitCodes.usage,
  );
}

/** Closes the database afterwards: the service, which may own it, can start or stop while we listen. */
async function issue(options: ReadOptions): Promise<IssuedSecret> {
  let issued: IssuedSecret | undefined;
  await withCommandContext(purpose, options, async (context) => {
    const key = {
      name: purpose,
      scopes: ["read"],
      version2_only: true,
      expires_at: Date.now() + limits.listenKeyMs,
    };
    issued = await performAct(createApiKey, context, key, { hasThreshold });
  });
  if (!issued) throw new Error("an open subaccount must get its key");
  return issued;
}

async function revoke(key: string): Promise<void> {
  try {
    await withDatabase(purpose, async ({ db }) => void (await revokeKey(db, key)));
  } catch {
    const hours = limits.listenKeyMs / 3_600_000;
    stderr.write(
      `The key of this session could not be revoked. It is read-only and expires within ${hours} hours. To revoke it:\n` +
        `  disburse keys revoke ${key}\n`,
    );
  }
}
