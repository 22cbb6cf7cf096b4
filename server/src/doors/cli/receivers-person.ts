// disburse receivers erase | export-person

import type { Command } from "commander";
import { Option } from "commander";
import { eraseReceiverNow } from "../../people/privacy/index.ts";
import { exportReceiver } from "../exports/index.ts";
import { CliError, configuration, exitCodes } from "../setup/index.ts";
import { actCommand } from "./act-command.ts";
import type { CommandContext } from "./command-context.ts";
import { canAsk, isAgreed } from "./confirm.ts";
import { interruptible } from "./interruption.ts";
import { writeNewFile } from "./new-file.ts";
import { time } from "./output.ts";
import { existingReceiver, ofReceiver } from "./receivers-read.ts";
import { stderr } from "./terminal.ts";

export function personCommands(receivers: Command): void {
  const erase = actCommand(receivers, "erase <receiver-id>", eraseReceiverNow, {
    ...ofReceiver,
    options: [new Option("--yes", "do not ask for confirmation")],
    async read({ id }, context) {
      const { key, receiver } = await existingReceiver(context as CommandContext, String(id));
      if (!erase.opts().yes) await confirmErasure(`${receiver.first_name} ${receiver.last_name}`);
      return { id: key.id };
    },
    parts: () => ({ retention: configuration().retention }),
    show({ id, erasedAtMs, applicant }, _context, { json }) {
      if (applicant) {
        stderr.write(
          `Erase the applicant ${applicant.id} at ${applicant.provider} too: it has data of its own.\n`,
        );
      }
      const erased_at = json ? String(erasedAtMs) : time(String(erasedAtMs));
      return { receiver_id: id, status: "inactive", erased_at };
    },
  });

  const out = new Option("--out <file>", "write to this file; `-` is the standard output");
  const exported = actCommand(receivers, "export-person <receiver-id>", exportReceiver, {
    ...ofReceiver,
    options: [out.default("-")],
    async show({ text }) {
      await writeNewFile(exported.opts().out, linesOf(text));
      return undefined;
    },
  });
}

async function* linesOf(text: string): AsyncGenerator<string> {
  yield text;
}

async function confirmErasure(name: string): Promise<void> {
  if (!canAsk()) {
    throw new CliError("There is no terminal to confirm at. Add --yes.", exitCodes.usage);
  }
  const question = `Erase ${name}? This can't be undone.`;
  const isConfirmed = await interruptible((interrupted) => isAgreed(question, interrupted));
  if (!isConfirmed) throw new CliError("Nothing was changed.", exitCodes.refused);
}
