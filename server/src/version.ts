// The version of this build, from the package that it is.

import { readFileSync } from "node:fs";
import { join } from "node:path";

const manifest = readFileSync(join(import.meta.dirname, "..", "package.json"), "utf8");

export const version: string = JSON.parse(manifest).version;
