// disburse restore | restore verify | restore quarantine | restore release

import { resolve } from "node:path";
import type { Command } from "commander";
import { applyErasures } from "../../people/privacy/index.ts";
import { openDatabase } from "../database/index.ts";
import {
  quarantine,
  quarantineName,
  release,
  requireReleasable,
  restoreBackup,
  type VerifiedCopy,
  verifyCopy,
} from "../restore/index.ts";
import { CliError, configuration, exitCodes } from "../setup/index.ts";
import { ByteProgress } from "./byte-progress.ts";
import { byOption, commandActor, uncheckedCommandActor } from "./command-actor.ts";
import { canAsk, isAgreed } from "./confirm.ts";
import { withDatabase } from "./database.ts";
import { readErasureFile } from "./erasures.ts";
import { interruptible, interruptibleWhole } from "./interruption.ts";
import { readTime } from "./option-values.ts";
import { print } from "./output.ts";
import { stderr, stdout } from "./terminal.ts";

type RestoreOptions = {
  to: string;
  at?: number;
  backup?: string;
  upToGap?: boolean;
  verify?: boolean;
  by?: string;
  json?: boolean;
};
/** `erasures`: the file of the journal, or false if there is none to apply. */
type ReleaseOptions = { erasures?: string | false; confirm?: string; by?: string };

const releaseWords = "pay again";

export function addRestoreCommands(restore: Command): void {
  restore
    .argument("[folder]", "where backups are kept")
    .option("--to <folder>", "the new DATA_DIR: empty, or with the file master.key only")
    .option("--at <time>", "restore up to this time; otherwise all that is archived", readTime)
    .option("--backup <name>", "this backup; otherwise the newest that fits")
    .option("--up-to-gap", "restore although the archive has a gap")
    .option("--verify", "verify the ledger and the audit log afterwards")
    .option("--json", "print JSON");
  byOption(restore).action((folder: string | undefined, options: Partial<RestoreOptions>) => {
    const { to } = options;
    if (folder === undefined || to === undefined) {
      throw new CliError(
        "Name the folder of the backups, and the new data folder: disburse restore <folder> --to <folder>",
        exitCodes.usage,
      );
    }
    return restoreInto(resolve(folder), { ...options, to: resolve(to) });
  });

  restore
    .command("verify")
    .description("verify the ledger and the audit log, and show the newest payout and event")
    .option("--json", "print JSON")
    .action((options: { json?: boolean }) =>
      withDatabase("restore verify", async (opened) => report(await verifyCopy(opened), options), {
        worksInQuarantine: true,
      }),
    );

  const set = restore
    .command("quarantine")
    .description("put a database that you restored with other tools into quarantine");
  byOption(set).action(async ({ by }: { by?: string }) => {
    const opened = await openDatabase(configuration(), {
      purpose: "restore quarantine",
      worksInQuarantine: true,
      connectionName: quarantineName,
    });
    try {
      await quarantine(opened, await commandActor(opened.db, by));
      stderr.write(`${inQuarantine}\n`);
    } finally {
      await opened.close();
    }
  });

  const lift = restore
    .command("release")
    .description("end the quarantine: the copy sends events and pays from its next start on")
    .option("--erasures <file>", "erase the receivers of this journal again, before the release")
    .option("--no-erasures", "no receiver was erased after the backup was made")
    .option("--confirm <words>", `"${releaseWords}", where there is no terminal to ask at`);
  byOption(lift).action((options: ReleaseOptions) =>
    withDatabase("restore release", (opened) => releaseCopy(opened, options), {
      worksInQuarantine: true,
    }),
  );
}

async function restoreInto(folder: string, options: RestoreOptions): Promise<void> {
  const config = configuration({ DATA_DIR: options.to });
  if ("url" in config.database) {
    throw new CliError(
      "DATABASE_URL is set, and this command restores the embedded database. Unset it.",
      exitCodes.usage,
    );
  }
  const startMs = performance.now();
  const progress = new ByteProgress("copying");
  const { backup, lsn, lastCommitAt } = await interruptibleWhole((interrupted) =>
    restoreBackup({
      folder,
      dataDir: options.to,
      config,
      backup: options.backup,
      atMs: options.at,
      upToGap: options.upToGap ?? false,
      actor: uncheckedCommandActor(options.by),
      interrupted,
      onCopied: (bytes) => progress.at(bytes),
      onStep(text) {
        progress.end();
        stderr.write(`${text}\n`);
      },
    }),
  );
  const seconds = Math.round(performance.now() - startMs) / 1000;
  const restored = { data_dir: options.to, backup: backup.name, lsn, last_commit: lastCommitAt };
  const verified = options.verify ? await verifyEmbedded(options.to) : undefined;
  report(verified, options, { ...restored, seconds });
  stderr.write(`${inQuarantine}\n`);
}

async function verifyEmbedded(dataDir: string): Promise<VerifiedCopy> {
  const opened = await openDatabase(configuration({ DATA_DIR: dataDir }), {
    purpose: "restore verify",
  });
  try {
    return await verifyCopy(opened);
  } finally {
    await opened.close();
  }
}

const inQuarantine =
  "In quarantine: it answers reads, sends nothing and pays nothing. Compare it with your banks, then run\n" +
  "disburse restore release (docs/operate/backup.md).";

function report(
  verified: VerifiedCopy | undefined,
  options: { json?: boolean },
  facts: Record<string, string | number | undefined> = {},
): void {
  print({ ...facts, ...verified }, options);
  if (!verified) return;
  if (verified.ledger_differences.length === 0 && verified.audit_fault === null) return;
  throw new CliError("The copy is damaged: see above.", exitCodes.refused);
}

async function releaseCopy(
  opened: Parameters<typeof release>[0],
  { confirm, by, erasures }: ReleaseOptions,
): Promise<void> {
  await requireReleasable(opened.db);
  const actor = await commandActor(opened.db, by);
  if (erasures === undefined) {
    throw new CliError(
      "Receivers that were erased after the backup are in this copy again. Add --erasures FILE, the journal of the original\n" +
        "(disburse erasures export). If none was erased, add --no-erasures.",
      exitCodes.usage,
    );
  }
  const journal = erasures === false ? undefined : await readErasureFile(erasures);
  const isConfirmed = await interruptible(async (interrupted) =>
    confirm === undefined && canAsk()
      ? isAgreed(releaseQuestion, interrupted, { words: releaseWords })
      : confirm === releaseWords,
  );
  if (!isConfirmed) {
    throw new CliError(
      `Not released. Without a terminal, add --confirm "${releaseWords}".`,
      exitCodes.refused,
    );
  }
  const applied = journal ? await applyErasures(opened, journal) : false;
  await release(opened, actor, { applied });
  stdout.write("Released. Start the service again: it sends and pays from then on.\n");
}

const releaseQuestion =
  "If the original still runs, or payouts of this copy were paid after the backup, receivers would be paid twice.";
