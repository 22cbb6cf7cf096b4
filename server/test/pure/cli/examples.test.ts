// The examples at the end of each help.

import type { Command } from "commander";
import { beforeAll, expect, test } from "vitest";
import { nameOf } from "../../../src/doors/cli/command-words.ts";
import { writtenExamples } from "../../../src/doors/cli/examples.ts";
import { wholeProgram } from "../../../src/doors/cli/program.ts";

let commands: Command[];
beforeAll(async () => {
  commands = all(await wholeProgram()).filter(({ parent }) => parent);
});

function all(command: Command): Command[] {
  return [command, ...command.commands.flatMap(all)];
}

/** The words of each example, after "disburse". */
function examplesIn(command: Command): string[][] {
  let help = "";
  const writeOut = (text: string) => {
    help += text;
  };
  command.configureOutput({ writeOut, getOutHasColors: () => false }).outputHelp();
  const [, lines = ""] = help.split("\nExamples:\n");
  return lines
    .trimEnd()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [program, ...words] = [...line.matchAll(/'([^']*)'|\S+/g)].map(
        ([word, quoted]) => quoted ?? word,
      );
      expect(program, line).toBe("disburse");
      return words;
    });
}

test("each help of a command ends with an example that its own arguments and options take", async () => {
  let tried = 0;
  for (const command of commands) {
    const examples = examplesIn(command);
    const name = nameOf(command).split(" ");
    if (command.commands.length === 0) expect(examples.length, name.join(" ")).toBeGreaterThan(0);
    for (const words of examples) {
      expect(words.slice(0, name.length), words.join(" ")).toEqual(name);
      let isTaken = false;
      command.action(() => {
        isTaken = true;
      });
      command.configureOutput({ writeErr: (text) => expect.fail(`${words.join(" ")}: ${text}`) });
      await command.parseAsync(words.slice(name.length), { from: "user" });
      expect(isTaken, words.join(" ")).toBe(true);
      tried += 1;
    }
  }
  expect(tried).toBeGreaterThan(130);
});

test("no example is made of a name alone: each argument and required option has a value", () => {
  const bare: string[] = [];
  for (const command of commands.filter((one) => one.commands.length === 0)) {
    if (writtenExamples[nameOf(command)]) continue;
    const words = examplesIn(command).flat();
    const names = command.registeredArguments.filter(({ required }) => required);
    const mandatory = command.options.filter((option) => option.mandatory);
    for (const one of [...names, ...mandatory]) {
      if (words.slice(nameOf(command).split(" ").length).includes(one.name())) {
        bare.push(`${nameOf(command)}: ${one.name()}`);
      }
    }
  }
  expect(bare).toEqual([]);
});

test("every example that is written by hand is of a command", () => {
  const names = commands.map(nameOf);
  expect(Object.keys(writtenExamples).filter((name) => !names.includes(name))).toEqual([]);
});
