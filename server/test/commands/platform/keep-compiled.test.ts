// Compiled code survives garbage collections during which no object has the shape that it was compiled for.

import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { keepingFlags } from "../../../src/doors/app/keep-compiled.ts";

const modulePath = new URL("../../../src/doors/app/keep-compiled.ts", import.meta.url).pathname;

/** Prints whether `sum` is still compiled. */
const script = `
  import { setImmediate as turn } from "node:timers/promises";
  import { keepCompiledCode } from ${JSON.stringify(modulePath)};
  if (process.argv[1] === "kept") keepCompiledCode();
  class Point { constructor(x, y) { this.x = x; this.y = y; } }
  const sum = (point) => point.x + point.y;
  %PrepareFunctionForOptimization(sum);
  sum(new Point(1, 2));
  %OptimizeFunctionOnNextCall(sum);
  sum(new Point(3, 4));
  for (let i = 0; i < 10; i++) { await turn(); globalThis.gc(); }
  const optimized = 1 << 4;
  console.log((%GetOptimizationStatus(sum) & optimized) !== 0);
`;

test.each([
  { how: "kept", printed: "true\n" },
  { how: "not kept", printed: "false\n" },
])("code that is $how, after garbage collections", ({ how, printed }) => {
  const flags = ["--expose-gc", "--allow-natives-syntax", "--input-type=module", "-e", script];
  expect(execFileSync(process.execPath, [...flags, how], { encoding: "utf8" })).toBe(printed);
});

test("this Node knows the flags", () => {
  const known = execFileSync(process.execPath, ["--v8-options"], { encoding: "utf8" });
  for (const flag of keepingFlags) {
    const name = flag.replace("--no-", "--").split("=")[0];
    expect(known).toContain(`  ${name} (`);
  }
});
