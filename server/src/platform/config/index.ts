// What other nouns use of config. The rest of this folder is private to it.

export { type Config, ConfigError, readConfig } from "./config.ts";
