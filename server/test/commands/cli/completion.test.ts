// What a shell completes, with the script of `disburse completion`.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { command } from "../../support/commands.ts";
import { type ConsoleService, startConsole } from "../../support/console.ts";
import { newLaptop } from "../../support/laptop.ts";
import { newToken } from "../../support/operator.ts";
import { missingCommands, testUnless } from "../../support/skippable.ts";

let service: ConsoleService;
let folder: string;
beforeAll(async () => {
  service = await startConsole();
  folder = mkdtempSync(join(tmpdir(), "disburse-completion-"));
  mkdirSync(join(folder, "rules of today"));
  writeFileSync(join(folder, "rules.json"), "");
  for (const shell of ["bash", "zsh"]) {
    // Without a database.
    const { code, stdout, stderr } = await command(["completion", shell]);
    expect([code, stderr]).toEqual([0, ""]);
    writeFileSync(join(folder, shell), stdout);
  }
  const profile = { url: "https://payouts.example.com", token: "ot_x" };
  mkdirSync(join(folder, "disburse"));
  const text = JSON.stringify({ live: profile, "acme.test": profile }, null, 2);
  writeFileSync(join(folder, "disburse", "profiles.json"), `${text}\n`);
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

function shell(name: string, ...args: string[]): string[] {
  const { stdout, stderr } = spawnSync(name, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, XDG_CONFIG_HOME: folder },
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((line) => line !== "");
}

/** As bash splits the line: "=" is a word of its own. */
const inBash = (...words: string[]) =>
  shell(
    ...["bash", "--norc", "-c"],
    `source ./bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _disburse_bash; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ...["bash", "disburse", ...words],
  );

/** With functions in the place of those that zsh has only while it completes. */
const inZsh = (...words: string[]) =>
  shell(
    ...["zsh", "-fc"],
    `compdef() { :; }; compset() { :; }; _files() { print -rl -- *; }
    compadd() { shift; print -rl -- "$@"; }
    source ./zsh; words=("$@"); CURRENT=$#; _disburse_zsh`,
    ...["zsh", "disburse", ...words],
  );

const noBash = missingCommands("bash");
const noZsh = missingCommands("zsh");

const cases: [words: string[], offered: string[], others: string[]][] = [
  [["pay"], ["payouts"], ["receivers"]],
  [["payouts", "li"], ["list"], ["get"]],
  [["people", "inv"], ["invite"], []],
  [["screening", "embargo", ""], ["list", "add", "remove"], ["--json"]],
  [["payouts", "list", "--sta"], ["--status"], ["--from"]],
  [["payouts", "list", "--status", ""], ["pending", "successful", "failed"], ["--json"]],
  [["users", "invite", "--role", "fin"], ["finance"], ["admin"]],
  [["payouts", "cancel", "--by", "list", "--js"], ["--json"], []],
  [["rules", "propose", "rul"], ["rules.json", "rules of today"], ["--note"]],
  [["completion", ""], ["bash", "zsh"], []],
  [["--profile", ""], ["live", "acme.test"], ["payouts"]],
  [["payouts", "list", "--profile", "li"], ["live"], ["acme.test"]],
  [["--profile", "live", "payouts", "can"], ["cancel"], []],
  [["payouts", "list", "--subaccount", ""], [], ["--json", "rules.json"]],
  [["serve", "--pro"], ["--processes", "--profile"], ["--process"]],
];

testUnless(noBash)("bash completes commands, options and their values, files and profiles", () => {
  for (const [words, offered, others] of cases) {
    const completed = inBash(...words);
    expect(completed, words.join(" ")).toEqual(expect.arrayContaining(offered));
    expect(
      completed.filter((word) => others.includes(word)),
      words.join(" "),
    ).toEqual([]);
  }
});

testUnless(noBash)("bash completes what follows an equals sign, and a path to the program", () => {
  expect(inBash("payouts", "list", "--status", "=", "fa")).toEqual(["failed"]);
  expect(inBash("--profile", "=")).toEqual(["live", "acme.test"]);
  const interactive = shell("bash", "--norc", "-c", "source ./bash; complete -p disburse");
  expect(interactive).toEqual(["complete -F _disburse_bash disburse"]);
});

testUnless(noZsh)("zsh is offered the same words", () => {
  for (const [words, offered] of cases) {
    expect(inZsh(...words), words.join(" ")).toEqual(expect.arrayContaining(offered));
  }
  expect(inZsh("payouts", "list", "--status=fa")).toContain("failed");
});

test("on a laptop the service prints the same script", async () => {
  const { token } = await newToken(service.enter("admin"), { role: "auditor" });
  const { start, laptop } = newLaptop();
  await start(["login", "--token", service.baseUrl], token).outcome;
  const asked = await Promise.all([laptop("completion", "bash"), command(["completion", "bash"])]);
  expect(asked[0]).toEqual(asked[1]);
  expect(asked[0]?.code).toBe(0);
});
