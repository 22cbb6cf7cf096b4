// disburse conformance: checks from outside whether a server keeps the published interface. The options are those of the kit.

import type { Command } from "commander";
import { conformanceOptions, runConformance } from "../../../../packages/conformance/src/index.ts";
import { userEnv } from "./environment.ts";
import { setExitCode, stderr, stdout } from "./terminal.ts";

const variables = [
  "DISBURSE_API_KEY",
  "DISBURSE_API_SECRET",
  "DISBURSE_OTHER_API_KEY",
  "DISBURSE_OTHER_API_SECRET",
] as const;

export function addConformanceOptions(command: Command): void {
  for (const { name, takes, description } of conformanceOptions) {
    command.option(takes ? `--${name} <${takes}>` : `--${name}`, description);
  }
  command.action(async (url: string) => {
    const given = command.options.map((option) => [
      option.name(),
      command.getOptionValue(option.attributeName()),
    ]);
    const env = Object.fromEntries(variables.map((name) => [name, userEnv(name)]));
    setExitCode(await runConformance(url, Object.fromEntries(given), { env, stdout, stderr }));
  });
}
