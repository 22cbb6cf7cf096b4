// disburse database move-out: moves the embedded database to a PostgreSQL of the operator's own.

import { join } from "node:path";
import type { Command } from "commander";
import { hasDatabase } from "../../platform/embedded/index.ts";
import { postgresUrl } from "../../platform/settings/index.ts";
import { openDatabase } from "../database/index.ts";
import { moveOut } from "../restore/index.ts";
import { CliError, configuration, exitCodes } from "../setup/index.ts";
import { byOption, commandActor } from "./command-actor.ts";
import { userEnv } from "./environment.ts";
import { print } from "./output.ts";
import { stderr } from "./terminal.ts";

type MoveOutOptions = { by?: string; json?: boolean };

export function addDatabaseCommands(database: Command): void {
  const move = database
    .command("move-out")
    .description("move the embedded database to the empty PostgreSQL of TARGET_DATABASE_URL")
    .option("--json", "print JSON");
  byOption(move).action(moveOutCommand);
}

async function moveOutCommand({ by, json }: MoveOutOptions): Promise<void> {
  const config = configuration();
  if (!("embeddedIn" in config.database)) {
    throw new CliError(
      "DATABASE_URL is set: there is no embedded database to move.",
      exitCodes.usage,
    );
  }
  const { embeddedIn: dataDir } = config.database;
  const targetUrl = readTarget();
  if (!hasDatabase(dataDir)) {
    throw new CliError(`There is no database in ${dataDir} (DATA_DIR).`, exitCodes.notFound);
  }
  const source = await openDatabase(config, {
    purpose: "database move-out",
    alone: true,
    worksInQuarantine: true,
  });
  try {
    const onStep = (text: string) => void stderr.write(`${text}\n`);
    const { rows, verified, findings } = await moveOut({
      source,
      targetUrl,
      actor: await commandActor(source.db, by),
      onStep,
    });
    print({ rows, ...verified, findings: findings.map(({ what }) => what) }, { json });
    const hasKey = config.keys.masterKey ?? config.keys.vault;
    stderr.write(nextSteps(hasKey ? undefined : join(dataDir, "master.key")));
  } finally {
    await source.close();
  }
}

/** Not an argument: other users of the machine see arguments, and it has a password. */
function readTarget(): string {
  const text = userEnv("TARGET_DATABASE_URL");
  const how =
    "Set TARGET_DATABASE_URL to the empty database, such as postgres://owner:…@db/disburse.";
  if (text === undefined) throw new CliError(how, exitCodes.usage);
  try {
    return postgresUrl(text);
  } catch {
    throw new CliError(
      `TARGET_DATABASE_URL is not the address of a PostgreSQL. ${how}`,
      exitCodes.usage,
    );
  }
}

function nextSteps(keyFile: string | undefined): string {
  const key = keyFile
    ? `  DISBURSE_MASTER_KEY_FILE=${keyFile} (or its content in DISBURSE_MASTER_KEY)\n`
    : "  the same master key, or Vault settings, as before\n";
  return (
    "Moved. Start the service with\n" +
    `  DATABASE_URL=<the value of TARGET_DATABASE_URL>\n${key}` +
    "and without BACKUP_DIR. The embedded database stays as it is, and never pays again.\n"
  );
}
