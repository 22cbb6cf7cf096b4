// disburse serve

import type { Command } from "commander";
import { configuration } from "./configuration.ts";

export function serveCommand(program: Command): void {
  program
    .command("serve")
    .description("run the service")
    .option("--json", "print what a person needs as one JSON object")
    .action(async ({ json = false }: { json?: boolean }) => {
      const config = configuration();
      // Only here, so that every other command starts without loading the whole service.
      const { runService } = await import("./run-service.ts");
      await runService(config, { json });
    });
}
