// What other nouns use of setup. The rest of this folder is private to it.

export { addressOf } from "./address.ts";
export { CliError, exitCodes } from "./cli-error.ts";
export { configuration } from "./configuration.ts";
export { type ProcessRole, processRoles } from "./roles.ts";
