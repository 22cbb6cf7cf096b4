// Reads the configuration, or ends the command with a list of every problem.

import { type Config, ConfigError, readConfig } from "../../platform/config/index.ts";
import { CliError, exitCodes } from "./cli-error.ts";

/** `options` of the command come before the environment. */
export function configuration(options: Record<string, string> = {}): Config {
  try {
    return readConfig({ ...process.env, ...options });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const list = error.problems.map((problem) => `  ${problem}`).join("\n");
    throw new CliError(`The configuration has problems:\n${list}`, exitCodes.usage);
  }
}
