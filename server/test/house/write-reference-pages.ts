// Writes the tables of docs/reference. A part of `npm run generate`; tests fail when they are stale.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { wholeProgram } from "../../src/doors/cli/program.ts";
import { knownActs } from "../../src/tenants/acts/act.ts";
import { consoleRoutes } from "../support/console-routes.ts";
import {
  actRows,
  commandTables,
  metricRows,
  operationTables,
  settingTable,
  withPart,
} from "./reference-pages.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const openapi = JSON.parse(readFileSync(join(root, "openapi.json"), "utf8"));
write("settings", settingTable());
write("metrics", metricRows());
write("operations", operationTables(openapi));
write("commands", commandTables(await wholeProgram()));
await consoleRoutes();
write("acts", actRows(knownActs()));

function write(name: string, part: string): void {
  const file = join(root, "docs", "reference", `${name}.md`);
  writeFileSync(file, withPart(readFileSync(file, "utf8"), name, part));
}
