// disburse banks show | poll | ignore-file: files that banks put into a folder on their SFTP server.

import { setTimeout } from "node:timers/promises";
import type { Command } from "commander";
import type { InboundFileRow } from "../../banking/answers/index.ts";
import { type BankConnection, describeConnection } from "../../banking/connections/index.ts";
import {
  countRefusedFiles,
  type FolderFileRow,
  listFolderFiles,
  listFolderPolls,
  pollFolderNow,
  setFileIgnored,
} from "../../banking/inbound-files/index.ts";
import { systemClock } from "../../platform/base/index.ts";
import type { Runner } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { configuration, exitCodes } from "../setup/index.ts";
import { type BankContext, type BankOptions, withBankContext } from "./bank-context.ts";
import { byOption } from "./command-actor.ts";
import { readLine } from "./option-values.ts";
import { print, printSection, type Shown, time } from "./output.ts";

/** A new file is seen at the first poll and read at the second, if it has not changed. */
const pollsMax = 3;

export function addBankFolderCommands(banks: Command): void {
  banks
    .command("show <name>")
    .description("a bank connection, and the files in its folder that were refused or wait")
    .option("--json", "print JSON")
    .action((name: string, options: BankOptions) =>
      withBankContext("banks show", options, async ({ db, connection }) => {
        const found = await connection(name);
        const facts = { ...describeConnection(found.row), ...(await folderFacts(db, found)) };
        await showFiles(db, found, { options, facts, sinceMs: Number.MAX_SAFE_INTEGER });
      }),
    );

  const poll = banks
    .command("poll <name>")
    .description("read the files in the folder on the bank's SFTP server now, also refused ones")
    .option("--json", "print JSON");
  byOption(poll).action((name: string, options: BankOptions) =>
    withBankContext("banks poll", options, async (context) => {
      const { db, connection } = context;
      const found = await connection(name);
      const sinceMs = Date.now();
      await pollUntilSettled(context, found);
      const facts = { name: found.row.name, ...(await folderFacts(db, found)) };
      await showFiles(db, found, { options, facts, sinceMs });
      if (facts.inbound_problem !== "" || facts.refused_files > 0) {
        process.exitCode = exitCodes.refused;
      }
    }),
  );

  const ignore = banks
    .command("ignore-file <name> <file>")
    .description("a refused file in the folder needs nothing: it is read again only if it changes")
    .requiredOption("--reason <text>", "why, for the audit log", readLine(500))
    .option("--json", "print JSON");
  byOption(ignore).action((name: string, file: string, options: BankOptions & { reason: string }) =>
    withBankContext("banks ignore-file", options, async ({ audit, connection }) => {
      const { id } = await connection(name);
      const row = await audit.transaction<FolderFileRow>(
        ({ code, message }) => ({
          action: "bank.ignore-file",
          object: { kind: "bank_connection", id },
          before: { file, code, message },
          after: { reason: options.reason },
        }),
        async (tx) => {
          const ignored = await setFileIgnored(tx, {
            connectionId: id,
            name: file,
            atMs: Date.now(),
          });
          if (!ignored) throw new Refusal("BANK455");
          return ignored;
        },
      );
      print(describeFile(row), options);
    }),
  );
}

/** What `banks list` and `banks show` tell about the folder of a connection. */
export async function folderFacts(db: Runner, { id, sftp }: BankConnection) {
  const poll = (await listFolderPolls(db)).get(id);
  const refused = await countRefusedFiles(db, limits.bankFolderFilesMax);
  return {
    inbound_folder: sftp?.inbound_folder ?? null,
    inbound_problem: sftp?.inbound_folder === undefined ? "" : (poll?.problem ?? ""),
    refused_files: refused.get(id) ?? 0,
  };
}

async function pollUntilSettled(
  { db, seal, audit, actor }: BankContext,
  connection: BankConnection,
): Promise<void> {
  const object = { kind: "bank_connection", id: connection.id };
  await audit.transaction({ action: "bank.poll", object }, async () => {});
  const applyingDb = audit.db<InboundFileRow>(({ id, name, sha256, lines, suspended }) => ({
    action: "bank-file.inbound",
    object: { kind: "bank_inbound_file", id },
    after: { name, sha256, lines, suspended },
  }));
  const parts = {
    db,
    applyingDb,
    seal,
    addresses: configuration().postbackAddresses,
    clock: systemClock,
    log: { info() {}, warn() {} },
  };
  for (let polls = 1; ; polls += 1) {
    const { waiting } = await pollFolderNow(parts, connection, actor.who).catch(
      (error: unknown) => {
        // The service has begun to poll meanwhile.
        if (polls > 1 && error instanceof Refusal) return { waiting: 0 };
        throw error;
      },
    );
    if (waiting === 0 || polls === pollsMax) return;
    process.stderr.write("Waiting, to see whether files still change.\n");
    await setTimeout(limits.bankFolderSettleMs);
  }
}

async function showFiles(
  db: Runner,
  { id: connectionId }: BankConnection,
  { options, facts, sinceMs }: { options: BankOptions; facts: Shown; sinceMs: number },
): Promise<void> {
  const limit = limits.bankInboundListedMax;
  const files = (await listFolderFiles(db, { connectionId, sinceMs, limit })).map(describeFile);
  if (options.json) return print({ ...facts, files }, options);
  print(facts, options);
  printSection("Files", files);
}

function describeFile(row: FolderFileRow) {
  return {
    file: row.name,
    bytes: Number(row.size),
    status: row.status,
    at: time(row.at_ms),
    code: row.code,
    message: row.message,
    applied_as: row.inbound_file_id,
  };
}
