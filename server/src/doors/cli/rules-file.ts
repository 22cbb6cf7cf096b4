// A file with rules, for `disburse rules propose` and `backtest`.

import { CliError, exitCodes } from "../setup/index.ts";
import { readFileSync } from "./local-files.ts";

/** A list of rules, or an object with the list as `rules`; not checked yet. `-` is the standard input. */
export function readRulesFile(file: string): unknown {
  try {
    const content: unknown = JSON.parse(readFileSync(file, "utf8"));
    const isList = Array.isArray(content) || typeof content !== "object" || content === null;
    return isList ? content : (content as { rules?: unknown }).rules;
  } catch (error) {
    const why = error instanceof SyntaxError ? "is not JSON" : "can't be read";
    throw new CliError(`The file ${file} ${why}.`, exitCodes.usage);
  }
}
