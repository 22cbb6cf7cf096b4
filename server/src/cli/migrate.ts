// disburse migrate: creates the database or brings it up to date.

import type { Command } from "commander";
import { readMigrations } from "../db/migrate.ts";
import { masterKeyFingerprint } from "../seal.ts";
import { withDatabase } from "./database.ts";
import { print } from "./output.ts";

export function migrateCommand(program: Command): void {
  program
    .command("migrate")
    .description("create the database or bring it up to date (serve does this when it starts)")
    .option(
      "--runtime-role <role>",
      "let the service sign in to PostgreSQL as this role, which can't change the schema",
    )
    .option("--json", "print JSON")
    .action(({ json, runtimeRole }: { json?: boolean; runtimeRole?: string }) =>
      withDatabase(
        "migrate",
        async ({ applied, installation: { cell, merchantId }, seal }) => {
          const migrations = readMigrations().length;
          const master_key = masterKeyFingerprint(seal);
          print({ migrations, applied, cell, merchant_id: merchantId, master_key }, { json });
        },
        { mayCreate: true, runtimeRole, worksInQuarantine: true },
      ),
    );
}
