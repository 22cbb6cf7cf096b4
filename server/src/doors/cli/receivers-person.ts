// disburse receivers erase | export-person

import type { Command } from "commander";
import { eraseReceiver } from "../../people/privacy/index.ts";
import { audited } from "../../tenants/audit/index.ts";
import { exportPerson } from "../exports/index.ts";
import { CliError, configuration, exitCodes } from "../setup/index.ts";
import { about, type WriteOptions, withCommandContext, writeOptions } from "./command-context.ts";
import { canAsk, isAgreed } from "./confirm.ts";
import { interruptible } from "./interruption.ts";
import { writeNewFile } from "./new-file.ts";
import { print, time } from "./output.ts";
import { existingReceiver } from "./receivers-read.ts";

export function personCommands(receivers: Command): void {
  const erase = receivers
    .command("erase <receiver-id>")
    .description("overwrite every word about a receiver, for good")
    .option("--yes", "do not ask for confirmation");
  writeOptions(erase).action((id: string, options: WriteOptions & { yes?: boolean }) =>
    withCommandContext("receivers erase", about("receiver", id, options), async (context) => {
      const { key, receiver } = await existingReceiver(context, id);
      if (!options.yes) await confirmErasure(`${receiver.first_name} ${receiver.last_name}`);
      const { seal, actor } = context;
      const { retention } = configuration();
      const object = { kind: "receiver", id: key.id };
      const erased = await audited(context, actor).transaction(
        { action: "receiver.erase", object },
        (tx) => eraseReceiver({ tx, seal }, key, { who: actor.who, atMs: Date.now(), retention }),
      );
      const { erasedAtMs, applicant } = erased;
      const erased_at = options.json ? String(erasedAtMs) : time(String(erasedAtMs));
      print({ receiver_id: key.id, status: "inactive", erased_at }, options);
      if (applicant) {
        process.stderr.write(
          `Erase the applicant ${applicant.id} at ${applicant.provider} too: it has data of its own.\n`,
        );
      }
    }),
  );

  const exported = receivers
    .command("export-person <receiver-id>")
    .description("write everything that is held about a receiver, as JSON for that person")
    .option("--out <file>", "write to this file; `-` is the standard output", "-");
  writeOptions(exported).action((id: string, options: WriteOptions & { out: string }) =>
    withCommandContext(
      "receivers export-person",
      about("receiver", id, options),
      async (context) => {
        const { key } = await existingReceiver(context, id);
        const document = await exportPerson(context, key, Date.now());
        const object = { kind: "receiver", id: key.id };
        // It holds whole account numbers, so the audit log has it before it is written.
        await audited(context, context.actor).transaction(
          { action: "receiver.export", object },
          async () => {},
        );
        await writeNewFile(options.out, linesOf(`${JSON.stringify(document, null, 2)}\n`));
      },
    ),
  );
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
