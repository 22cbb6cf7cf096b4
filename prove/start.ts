// npm run prove: the tests that run longer on request, then the campaigns.
//
//   --material <folder>   instead of these: reads the bank files of a folder and compares with its expected.csv, and tries
//                         the matcher of names on its names and lists; --only bank-files or --only names does one of them

import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: { material: { type: "string" }, only: { type: "string" } },
  strict: false,
});

if (typeof values.material === "string") {
  const { material, only } = values;
  if (only !== "names") (await import("./material.ts")).proveMaterial(material);
  if (only !== "bank-files") (await import("./names.ts")).proveNames(material);
} else {
  const tests = ["kills", "races", "fuzz", "banks", "tenants", "console-days"];
  const { status } = spawnSync("vitest", ["run", "--project", "server", ...tests], {
    stdio: "inherit",
    env: { ...process.env, DISBURSE_PROVE: "1" },
  });
  if (status === 0) await import("./run.ts");
  else process.exitCode = status ?? 1;
}
