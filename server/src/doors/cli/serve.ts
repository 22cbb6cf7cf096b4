// disburse serve

import cluster from "node:cluster";
import { type Command, Option } from "commander";
import type { RunCommand } from "../operator/index.ts";
import { configuration, type ProcessRole, processRoles } from "../setup/index.ts";

type ServeOptions = { json?: boolean; role: ProcessRole; processes?: string; process?: string };

export function serveCommand(program: Command, runCommand: RunCommand): void {
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
    .option(
      "--processes <number>",
      "processes that serve on one port, or auto for one per processor core (default: PROCESSES)",
    )
    // Set by the supervisor: the number of a process.
    .addOption(new Option("--process <number>").hideHelp())
    .option("--json", "print the start-up information as one JSON object")
    .action(async ({ json = false, role, processes, process }: ServeOptions) => {
      const config = configuration(processes === undefined ? {} : { PROCESSES: processes });
      // Imported here, so that every other command starts without loading the whole service.
      if (cluster.isWorker && process !== undefined) {
        const { runSupervised } = await import("../app/index.ts");
        await runSupervised(config, { role, number: Number(process), runCommand });
      } else if (config.processes > 1) {
        const { supervise } = await import("../supervisor/index.ts");
        await supervise(config, { json, role });
      } else {
        const { runService } = await import("../app/index.ts");
        await runService(config, { json, role, runCommand });
      }
    });
}
