// disburse serve

import { type Command, Option } from "commander";
import { configuration } from "../app/configuration.ts";
import { type ProcessRole, processRoles } from "../app/roles.ts";

export function serveCommand(program: Command): void {
  program
    .command("serve")
    .description("run the service")
    .addOption(
      new Option("--role <role>", "api: only answers; worker: only what goes on behind the answers")
        .choices(processRoles)
        .default("all"),
    )
    .option("--json", "print what a person needs as one JSON object")
    .action(async ({ json = false, role }: { json?: boolean; role: ProcessRole }) => {
      const config = configuration();
      // Only here, so that every other command starts without loading the whole service.
      const { runService } = await import("../app/run.ts");
      await runService(config, { json, role });
    });
}
