// disburse migrate: creates the database or brings it up to date.

import type { Command } from "commander";
import { readMigrations } from "../../platform/db/index.ts";
import { masterKeyFingerprint } from "../../platform/encryption/index.ts";
import { withDatabase } from "./database.ts";
import { print } from "./output.ts";

export function addMigrateOptions(migrate: Command): void {
  migrate
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
