// npm run prove: the tests that run longer on request, then the campaigns.
//
//   --only <name>         one campaign, without the tests
//   --material <folder>   instead of these: reads the bank files of a folder and compares with its expected.csv, tries the
//                         matcher of names on its names and lists, and reads its sanctions lists; --only bank-files,
//                         --only names or --only lists does one of them

import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: { material: { type: "string" }, only: { type: "string" } },
  strict: false,
});

if (typeof values.material === "string") {
  const { material, only } = values;
  const isWanted = (name: string) => only === undefined || only === name;
  if (isWanted("bank-files")) (await import("./material.ts")).proveMaterial(material);
  if (isWanted("names")) (await import("./names.ts")).proveNames(material);
  if (isWanted("lists")) (await import("./material-lists.ts")).proveLists(material);
} else if (values.only !== undefined) {
  await import("./run.ts");
} else {
  const tests = ["kills", "races", "fuzz", "banks", "tenants", "console", "moves", "backup"];
  const { status } = spawnSync("vitest", ["run", ...tests], {
    stdio: "inherit",
    env: { ...process.env, DISBURSE_PROVE: "1" },
  });
  if (status === 0) await import("./run.ts");
  else process.exitCode = status ?? 1;
}
