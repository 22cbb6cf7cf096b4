// disburse banks show | poll | ignore-file: files that banks put into a folder on their SFTP server.

import { setTimeout } from "node:timers/promises";
import type { Command } from "commander";
import { type BankConnection, describeConnection } from "../../banking/connections/index.ts";
import {
  countRefusedFiles,
  type FolderFileRow,
  ignoreFolderFile,
  listFolderFiles,
  listFolderPolls,
  pollBankFolder,
} from "../../banking/inbound-files/index.ts";
import type { Runner } from "../../platform/db/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { configuration, exitCodes } from "../setup/index.ts";
import { actCommand } from "./act-command.ts";
import { type BankOptions, readBank, withBankContext } from "./bank-context.ts";
import { print, printSection, type Shown, time } from "./output.ts";
import { setExitCode, stderr } from "./terminal.ts";

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

  actCommand(banks, "poll <name>", pollBankFolder, {
    ...ofBank,
    parts: () => ({ addresses: configuration().postbackAddresses, wait: waitForChanges }),
    async show({ connection, sinceMs }, { db }, options) {
      const facts = { name: connection.row.name, ...(await folderFacts(db, connection)) };
      await showFiles(db, connection, { options, facts, sinceMs });
      if (facts.inbound_problem !== "" || facts.refused_files > 0) {
        setExitCode(exitCodes.refused);
      }
      return undefined;
    },
  });

  actCommand(banks, "ignore-file <name> <file>", ignoreFolderFile, {
    ...ofBank,
    show: describeFile,
  });
}

const ofBank = { fields: { name: "id" }, read: readBank };

async function waitForChanges(): Promise<void> {
  stderr.write("Waiting, to see whether files still change.\n");
  await setTimeout(limits.bankFolderSettleMs);
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
