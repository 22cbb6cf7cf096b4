// Reads the configuration, or ends the command with a list of every problem.

import { type Config, ConfigError, readConfig } from "../config.ts";
import { CliError, exitCodes } from "./cli-error.ts";

export function configuration(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const list = error.problems.map((problem) => `  ${problem}`).join("\n");
    throw new CliError(`The configuration has problems:\n${list}`, exitCodes.usage);
  }
}
