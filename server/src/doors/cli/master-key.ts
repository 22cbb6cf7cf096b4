// disburse master-key status | rotate | rewrap

import type { Command } from "commander";
import {
  type MasterKeyStatus,
  masterKeyStatus,
  type Rotated,
  RotationError,
  type RotationStep,
  rewrapDataKeys,
  rotateDataKeys,
} from "../rotation/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { byOption, commandActor } from "./command-actor.ts";
import { withDatabase } from "./database.ts";
import { interruptible } from "./interruption.ts";
import { print, printSection } from "./output.ts";
import { count, Progress } from "./progress.ts";
import { stderr, stdout } from "./terminal.ts";

type Json = { json?: boolean };
type Write = Json & { by?: string };

export function addMasterKeyCommands(command: Command): void {
  command
    .command("status")
    .description("count the encrypted values under each key, by table")
    .option("--json", "print JSON")
    .action(({ json }: Json) =>
      withDatabase("master-key status", async (opened) => {
        const { ring, follower } = opened.keys;
        const status = await masterKeyStatus({ ...opened, ring }, follower.rows);
        if (json) print(status, { json });
        else printStatus(status);
      }),
    );

  byOption(
    command
      .command("rotate")
      .description(
        "encrypt everything again under a new key while the service runs; run it again to continue after an interruption",
      )
      .option("--json", "print JSON"),
  ).action(({ json, by }: Write) =>
    withDatabase("master-key rotate", (opened) =>
      explained(() =>
        interruptible(async (signal) => {
          const { db, seal } = opened;
          const progress = showSteps();
          const actor = await commandActor(db, by);
          const parts = { db, seal, ...opened.keys, actor, signal, onStep: progress.step };
          const rotated = await rotateDataKeys(parts);
          progress.end();
          const { isStopped, ...facts } = rotated;
          print(facts, { json });
          if (isStopped) throw new CliError(stoppedText(rotated), exitCodes.interrupted);
          if (rotated.under_old_keys !== 0) {
            throw new CliError(unreadableText(rotated), exitCodes.refused);
          }
          stderr.write("0 under the old key.\n");
        }),
      ),
    ),
  );

  byOption(
    command
      .command("rewrap")
      .description(
        "wrap the data keys with Vault, or else the master key, as they are set now; no value changes",
      )
      .option("--local", "with the master key, although Vault is set")
      .option("--json", "print JSON"),
  ).action(({ json, by, local }: Write & { local?: boolean }) =>
    withDatabase("master-key rewrap", ({ db, seal, keys: { ring, services } }) =>
      explained(async () => {
        const service = local ? services.ofKind("local") : services;
        if (!service) {
          throw new CliError(
            "--local needs a master key: set DISBURSE_MASTER_KEY.",
            exitCodes.usage,
          );
        }
        const parts = { db, seal, ring, service, actor: await commandActor(db, by) };
        print({ rewrapped: await rewrapDataKeys(parts) }, { json });
      }),
    ),
  );
}

async function explained(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof RotationError) throw new CliError(error.message, exitCodes.refused);
    throw error;
  }
}

function printStatus(status: MasterKeyStatus): void {
  const { keys, columns, under_old_keys } = status;
  print(keys, {});
  printSection("Values", columns);
  stdout.write(`\n${count(under_old_keys)} under old keys\n`);
}

const resume = "Run disburse master-key rotate to go on.";

function stoppedText({ under_old_keys }: Rotated): string {
  const left = under_old_keys === null ? "" : ` ${count(under_old_keys)} under the old key.`;
  return `Stopped.${left} ${resume}`;
}

function unreadableText({ unreadable }: Pick<Rotated, "unreadable">): string {
  const shown = unreadable.slice(0, 20).map((value) => `  ${value}`);
  const others = unreadable.length > 20 ? `\n  and ${unreadable.length - 20} others` : "";
  return (
    `${count(unreadable.length)} values can't be decrypted and stay under their old key:\n${shown.join("\n")}${others}\n` +
    "They could not be read before either. Restore them from a backup, or replace them, and run the command again."
  );
}

const keyTexts = {
  resumed: (key: string) => `Going on with key ${key}.`,
  announced: (key: string) => `Key ${key} is announced.`,
  current: (key: string) => `New values are under key ${key}.`,
};

/** One line for each step, and a bar while values are encrypted. */
function showSteps(): { step: (step: RotationStep) => void; end: () => void } {
  let total = 0;
  let done = 0;
  let waitingFor = 0;
  let progress: Progress | undefined;
  const say = (text: string) => void stderr.write(`${text}\n`);
  return {
    step(step) {
      if (step.kind === "waiting") {
        if (step.processes !== waitingFor) {
          say(
            `Waiting until every process has loaded it: ${step.processes} left. Its log says what keeps it.`,
          );
        }
        waitingFor = step.processes;
      } else if (step.kind === "counted") {
        total = step.values;
        say(`Encrypting ${count(total)} values again.`);
        progress = new Progress({ what: "encrypting", total });
      } else if (step.kind === "encrypted") {
        done = step.values;
        progress?.at(done, total === 0 ? 1 : Math.min(done / total, 1));
      } else say(keyTexts[step.kind](step.key));
    },
    end: () => progress?.end(done),
  };
}
