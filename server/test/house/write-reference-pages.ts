// Writes the tables of docs/reference, and for the conformance kit the fields of our resources and the list of promises. A part of `npm run generate`; tests fail when they are stale.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { wholeProgram } from "../../src/doors/cli/program.ts";
import { knownActs } from "../../src/tenants/acts/act.ts";
import { consoleRoutes } from "../support/console-routes.ts";
import {
  actRows,
  commandTables,
  kitFields,
  metricRows,
  operationTables,
  settingTable,
  withPart,
} from "./reference-pages.ts";
import { files, read } from "./tracked-files.ts";
import { triedResults, withTriedTables } from "./tried-page.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const openapi = JSON.parse(readFileSync(join(root, "openapi.json"), "utf8"));
writeFileSync(join(root, "packages/conformance/src/our-fields.ts"), kitFields(openapi));
// Loaded only now: the list has a promise for each of these fields.
const { promiseTables } = await import("./promise-tables.ts");
write("promises", promiseTables(), "api/conformance");
write("settings", settingTable());
write("metrics", metricRows());
write("operations", operationTables(openapi));
write("commands", commandTables(await wholeProgram()));
await consoleRoutes();
write("acts", actRows(knownActs()));
const tried = "docs/operate/tried.md";
const withTables = withTriedTables(read(tried), triedResults(files, read), withPart);
writeFileSync(join(root, tried), withTables);

function write(name: string, part: string, page = `reference/${name}`): void {
  const file = join(root, "docs", `${page}.md`);
  writeFileSync(file, withPart(readFileSync(file, "utf8"), name, part));
}
