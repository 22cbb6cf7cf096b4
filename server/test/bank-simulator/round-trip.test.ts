// Random payouts, written by the service and read by the bank simulator.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bankFileWays, runBankFiles } from "../scenarios/bank-files-run.ts";

test("500 random payouts arrive at the bank: equal count, sum and hash total, every receiver found", () => {
  const { payouts, complaints, files } = runBankFiles(500, 15);
  expect(complaints).toEqual([]);
  expect(Object.values(payouts).reduce((sum, count) => sum + count, 0)).toBe(500);
  expect(Object.keys(payouts)).toHaveLength(bankFileWays.length);
  expect(files).toBeGreaterThanOrEqual(bankFileWays.length);
});

const root = join(import.meta.dirname, "..", "..", "..");
const sources = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "server/src"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file.endsWith(".ts"));

const nounOf = (file: string) => file.split("/").slice(2, 4).join("/");

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(/from "(\.[^"]+)"/g)].map(([, path = ""]) => join(file, "..", path));
}

test("the simulator shares no reader, writer or calendar with the service", () => {
  const simulator = sources.filter((file) => nounOf(file) === "banking/bank-simulator");
  expect(simulator.length).toBeGreaterThan(10);
  const used = new Set(simulator.flatMap(importsOf).map(nounOf));
  expect([...used].sort()).toEqual(["banking/bank-simulator", "money/rails", "platform/base"]);
  // The reverse: only its command knows of it.
  const using = sources.filter(
    (file) =>
      nounOf(file) !== "banking/bank-simulator" &&
      importsOf(file).some((imported) => nounOf(imported) === "banking/bank-simulator"),
  );
  expect(using).toEqual(["server/src/doors/cli/bank-simulator.ts"]);
});
