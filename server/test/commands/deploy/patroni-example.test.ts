// The example of deploy/patroni: its files are valid, and it says which packages are missing.
// `npm run prove -- --only patroni` starts it.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { missingPatroni } from "../../support/patroni-cluster.ts";
import { testUnless } from "../../support/skippable.ts";

const folder = join(import.meta.dirname, "..", "..", "..", "..", "deploy", "patroni");

test("deploy/patroni/try names the packages that are missing", () => {
  // A machine without the packages: a PATH with only what the script itself needs.
  const programs = mkdtempSync(join(tmpdir(), "disburse-programs-"));
  onTestFinished(() => rmSync(programs, { recursive: true }));
  for (const name of ["dirname", "sort", "tail"]) {
    const found = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();
    symlinkSync(found, join(programs, name));
  }
  const { status, stderr } = spawnSync("/bin/bash", [join(folder, "try")], {
    env: { PATH: programs },
    encoding: "utf8",
  });
  expect(stderr).toMatch(
    /^try: this machine lacks Debian's packages for it: apt-get install .*patroni etcd-server/,
  );
  expect(status).toBe(1);
});

testUnless(missingPatroni())("HAProxy accepts its configuration", () => {
  const words = ["-c", "-q", "-f", join(folder, "haproxy.cfg")];
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
  const { status, stderr } = spawnSync("haproxy", words, { env, encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
