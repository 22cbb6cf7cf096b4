// Commands on a terminal: on the server, and over HTTP, where the client says what terminal it has.

import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { closeAfterTests } from "../../support/close-after-tests.ts";
import { command } from "../../support/commands.ts";
import { startConsole } from "../../support/console.ts";
import { newLaptop } from "../../support/laptop.ts";
import { callOperator, newToken, signInCommand } from "../../support/operator.ts";
import { programPath } from "../../support/programs.ts";
import { noPseudoTerminal, onTerminal } from "../../support/pseudo-terminal.ts";
import { ada, addAccount, settingsOf } from "../../support/service.ts";
import { testUnless } from "../../support/skippable.ts";

const { folder, env, run, start } = newLaptop();
const service = await closeAfterTests(startConsole({ bankDelayMs: 3_600_000 }));
const environment = {
  PATH: process.env.PATH,
  ...settingsOf(service),
};
const caller = await service.newCaller({ mode: "live" });
const subaccountId = caller.subaccountId;
const receiverId = (await caller.disburse.receivers.create(ada())).receiver_id;
await addAccount(service, subaccountId, receiverId);
const { token } = await newToken(service.enter("admin"), { role: "auditor" });
await start(["login", "--token", service.baseUrl], token).outcome;

const onServer = (words: readonly string[], columns: number, more: NodeJS.ProcessEnv = {}) =>
  onTerminal([process.execPath, programPath("main"), ...words], {
    ...{ columns, env: { ...environment, ...more } },
  });
const onLaptop = (words: readonly string[], columns: number, more: NodeJS.ProcessEnv = {}) =>
  onTerminal([...run, ...words], { columns, cwd: folder, env: { ...env, ...more } });

testUnless(noPseudoTerminal)(
  "commands print the same on a terminal of the server and of a laptop, and no line is too wide",
  async () => {
    const commands = [
      ["receivers", "list", "--subaccount", subaccountId],
      ["receivers", "get", receiverId],
      ["audit", "list"],
      ["payouts", "list", "--help"],
    ];
    for (const words of commands) {
      for (const columns of [60, 140]) {
        const [here, there] = await Promise.all([
          onServer(words, columns),
          onLaptop(words, columns),
        ]);
        const about = `${words.join(" ")} in ${columns} columns`;
        expect(there, about).toBe(here);
        expect(here, about).toContain("\u001B[");
        const isRecord = /^\w+ +[^ ]/;
        const wide = stripVTControlCharacters(here)
          .split("\n")
          .filter((line) => line.length > columns && !isRecord.test(line));
        expect(wide, about).toEqual([]);
      }
    }
  },
);

testUnless(noPseudoTerminal)(
  "no colour with NO_COLOR, with TERM=dumb, with --json, and in a pipe",
  async () => {
    const words = ["subaccount", "list"];
    const coloured = await onLaptop(words, 200, { NO_COLOR: "" });
    expect(coloured).toContain("\u001B[1mlive\u001B[22m");
    const plain = stripVTControlCharacters(coloured);
    expect(await onLaptop(words, 200, { NO_COLOR: "0" })).toBe(plain);
    expect(await onLaptop(words, 200, { TERM: "dumb" })).toBe(plain);
    expect(await onServer(words, 200, { NO_COLOR: "1" })).toBe(plain);
    const piped = await start([...words, "--json"]).outcome;
    expect(await onLaptop([...words, "--json"], 60)).toBe(piped.stdout);
    expect(piped.stdout).toBe((await command([...words, "--json"], environment)).stdout);
    expect((await start(words).outcome).stdout).not.toContain("\u001B");
  },
);

async function printed(token: string, words: readonly string[], terminal?: object) {
  const body = { words, ...(terminal && { terminal }) };
  const { status, code, json } = await callOperator(service.baseUrl, token, "POST", "/commands", {
    body,
  });
  return { status, code, stdout: json?.stdout as string };
}

test.each([
  { columns: 19, colour: true },
  { columns: 1001, colour: true },
  { columns: 80.5, colour: true },
  { columns: 80 },
])("a terminal like %j is refused", async (terminal) => {
  const { token } = await signInCommand(service.baseUrl, service.enter("auditor"));
  const refused = await printed(token, ["subaccount", "list"], terminal);
  expect(refused).toMatchObject({ status: 400, code: "CONS108" });
});

test("names that a user may not see are replaced before texts are cut and columns aligned", async () => {
  const words = ["receivers", "kyc", "approve", receiverId, "--by", "ben of the night shift"];
  const approved = await command([...words, "--reason", "seen the passport"], environment);
  expect(approved).toMatchObject({ code: 0, stderr: "" });
  const developer = service.enter("developer", { subaccountId });
  const { token } = await signInCommand(service.baseUrl, developer);
  const { stdout } = await printed(token, ["receivers", "get", receiverId], {
    ...{ columns: 140, colour: false },
  });
  expect(stdout).not.toContain("ben");
  expect(stdout).toMatch(
    /^\S+ \S+Z {2}operator +\S.* {2}active, KYC completed +seen the passport$/m,
  );
});
