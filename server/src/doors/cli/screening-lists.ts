// disburse screening import | lists | approve | decline: sanctions lists and their versions.

import { basename } from "node:path";
import { type Command, Option } from "commander";
import {
  fileListNames,
  fileLists,
  type ListFile,
  listLimits,
} from "../../people/list-files/index.ts";
import {
  approveList,
  declineList,
  type ImportOutcome,
  importList,
  listVersions,
  type VersionRow,
  versionStatuses,
} from "../../people/sanctions-lists/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { actCommand } from "./act-command.ts";
import { withDatabase } from "./database.ts";
import { fileSize, readFileSync } from "./local-files.ts";
import { oneLine, print, time } from "./output.ts";
import { Progress } from "./progress.ts";
import { stderr } from "./terminal.ts";

export function addListCommands(screening: Command): void {
  const list = new Option("--list <list>", "the list").choices(fileListNames);
  const importing = actCommand(screening, "import <files...>", importList, {
    options: [list.makeOptionMandatory()],
    read: ({ list, files }) => ({ list, files: (files as string[]).map(readListFile) }),
    parts() {
      let progress: Progress | undefined;
      return {
        onRead(list, entries) {
          if (!importing.opts().json) {
            stderr.write(`${fileLists[list].title}: entries read: ${entries}\n`);
          }
          progress = new Progress({ what: "importing", total: entries });
        },
        onProgress: (written, of) => progress?.at(written, written / of),
      };
    },
    show: showImport,
  });

  screening
    .command("lists")
    .description("the active version of each list, with its age; what waits for a second user")
    .option("--versions", "every version that was imported, the newest first")
    .option("--json", "print JSON")
    .action((options: { json?: boolean; versions?: boolean }) =>
      withDatabase("screening lists", async ({ db }) => {
        const statuses = options.versions ? versionStatuses : (["active", "waiting"] as const);
        const rows = await listVersions(db, statuses, listLimits.versionsShownMax);
        print(rows.map(describeVersion), options);
        if (!options.versions && !options.json) sayMissing(rows);
      }),
    );

  const carried = {
    fields: { version: "id" },
    show(version: VersionRow, _context: object, { json }: { json?: boolean }) {
      if (version.status === "waiting" && !json) {
        stderr.write("It waits for a second user to approve it.\n");
      }
      return describeVersion(version);
    },
  };
  actCommand(screening, "approve <version>", approveList, carried);
  actCommand(screening, "decline <version>", declineList, carried);
}

/** Shared with the embargoed countries. */
export function showImport(
  { outcome, reason, version }: ImportOutcome,
  _context: object,
  { json }: { json?: boolean },
) {
  if (outcome === "waiting" && !json) {
    stderr.write(
      `It waits for another user (${reason}): disburse screening approve ${version.id}\n`,
    );
  }
  return { outcome, ...(reason !== "" && { reason }), ...describeVersion(version) };
}

function readListFile(path: string): ListFile {
  try {
    if (fileSize(path) > listLimits.bytesMax) throw new Refusal("LIST102");
    return { name: oneLine(basename(path)), bytes: readFileSync(path) };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError(`${oneLine(path)} can't be read (${code}).`, exitCodes.usage);
  }
}

function describeVersion(row: VersionRow) {
  const { id, list, status, published_day, entries, names, added, changed, removed } = row;
  return {
    list,
    status,
    published: published_day,
    entries,
    names,
    added,
    changed,
    removed,
    imported_at: time(row.at_ms),
    imported_by: row.made_by,
    first_approved_by: row.first_approved_by,
    decided_by: row.decided_by,
    set: row.set_id === null ? null : Number(row.set_id),
    sha256: row.hash,
    version: id,
  };
}

function sayMissing(rows: readonly VersionRow[]): void {
  const missing = fileListNames.filter((name) => !rows.some(({ list }) => list === name));
  if (missing.length > 0) stderr.write(`Never imported: ${missing.join(", ")}\n`);
}
