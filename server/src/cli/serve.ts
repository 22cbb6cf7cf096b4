// disburse serve

import { type Command, Option } from "commander";
import { configuration } from "../app/configuration.ts";
import { type ProcessRole, processRoles } from "../app/roles.ts";

export function serveCommand(program: Command): void {
  program
    .command("serve")
    .description("run the service")
    .addOption(
      new Option(
        "--role <role>",
        "api: runs only the API and the console; worker: runs only background jobs",
      )
        .choices(processRoles)
        .default("all"),
    )
    .option("--json", "print the start-up information as one JSON object")
    .action(async ({ json = false, role }: { json?: boolean; role: ProcessRole }) => {
      const config = configuration();
      // Imported here, so that every other command starts without loading the whole service.
      const { runService } = await import("../app/run.ts");
      await runService(config, { json, role });
    });
}
