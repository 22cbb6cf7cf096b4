// disburse screening import | lists | approve | decline: sanctions lists and their versions.

import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { type Command, Option } from "commander";
import {
  type FileListName,
  fileListNames,
  fileLists,
  type ListFile,
  listLimits,
  readNewList,
} from "../../people/list-files/index.ts";
import {
  approveVersion,
  decisionNote,
  declineVersion,
  type ImportOutcome,
  importNote,
  importVersion,
  listVersions,
  type VersionRow,
  versionStatuses,
} from "../../people/sanctions-lists/index.ts";
import { isUuid } from "../../platform/base/index.ts";
import type { Db, Tx } from "../../platform/db/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { type Actor, type Audited, audited } from "../../tenants/audit/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { byOption, commandActor } from "./command-actor.ts";
import { withDatabase } from "./database.ts";
import { oneLine, print, time } from "./output.ts";
import { Progress } from "./progress.ts";

export type ListOptions = { json?: boolean; by?: string };

export function addListCommands(screening: Command): void {
  const importing = screening
    .command("import <files...>")
    .description("import a version of a sanctions list from the files of its publisher")
    .addOption(new Option("--list <list>", "the list").choices(fileListNames).makeOptionMandatory())
    .option("--json", "print JSON");
  byOption(importing).action((paths: string[], options: ListOptions & { list: FileListName }) =>
    withListContext("screening import", options, ({ actor, audit }) =>
      importFiles(paths, options, { actor, audit }),
    ),
  );

  screening
    .command("lists")
    .description("the active version of each list, with its age; what waits for a second user")
    .option("--versions", "every version that was imported, the newest first")
    .option("--json", "print JSON")
    .action((options: ListOptions & { versions?: boolean }) =>
      withListContext("screening lists", options, async ({ db }) => {
        const statuses = options.versions ? versionStatuses : (["active", "waiting"] as const);
        const rows = await listVersions(db, statuses, listLimits.versionsShownMax);
        print(rows.map(describeVersion), options);
        if (!options.versions && !options.json) sayMissing(rows);
      }),
    );

  const approve = screening
    .command("approve <version>")
    .description(
      "activate a version that waits; another user than the one who imported it, and two for one from the folder",
    )
    .option("--json", "print JSON");
  byOption(approve).action((id: string, options: ListOptions) =>
    decide("screening approve", id, options, approveVersion),
  );

  const decline = screening
    .command("decline <version>")
    .description("decline a version that waits; the active one stays")
    .option("--json", "print JSON");
  byOption(decline).action((id: string, options: ListOptions) =>
    decide("screening decline", id, options, declineVersion),
  );
}

export type ListContext = { db: Db; actor: Actor; audit: Audited };

export async function withListContext(
  purpose: string,
  { by }: ListOptions,
  work: (context: ListContext) => Promise<void>,
): Promise<void> {
  await withDatabase(purpose, async ({ db, seal }) => {
    const actor = await commandActor(db, by);
    await work({ db, actor, audit: audited({ db, seal }, actor) });
  });
}

async function importFiles(
  paths: readonly string[],
  options: ListOptions & { list: FileListName },
  { actor, audit }: Omit<ListContext, "db">,
): Promise<void> {
  const { list } = options;
  const files = paths.map(readListFile);
  const given = readNewList(list, files);
  if (!options.json) {
    process.stderr.write(`${fileLists[list].title}: entries read: ${given.entries.length}\n`);
  }
  const progress = new Progress({ what: "importing", total: given.entries.length });
  const onProgress = (written: number) => progress.at(written, written / given.entries.length);
  const result = await audit.transaction<ImportOutcome>(importNote, (tx) =>
    importVersion(tx, given, { who: actor.who, atMs: Date.now(), onProgress }),
  );
  printImport(result, options);
}

/** Shared with the embargoed countries. */
export function printImport(
  { outcome, reason, version }: ImportOutcome,
  options: ListOptions,
): void {
  print({ outcome, ...(reason !== "" && { reason }), ...describeVersion(version) }, options);
  if (outcome === "waiting" && !options.json) {
    process.stderr.write(
      `It waits for another user (${reason}): disburse screening approve ${version.id}\n`,
    );
  }
}

function readListFile(path: string): ListFile {
  try {
    if (statSync(path).size > listLimits.bytesMax) throw new Refusal("LIST102");
    return { name: oneLine(basename(path)), bytes: readFileSync(path) };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError(`${oneLine(path)} can't be read (${code}).`, exitCodes.usage);
  }
}

type Decide = (
  tx: Tx,
  id: string,
  deciding: { who: string; atMs: number; onProgress?: (written: number) => void },
) => Promise<VersionRow>;

function decide(purpose: string, id: string, options: ListOptions, change: Decide): Promise<void> {
  return withListContext(purpose, options, async ({ actor, audit }) => {
    if (!isUuid(id)) throw new Refusal("LIST201");
    const { who } = actor;
    const version = await audit.transaction(decisionNote, (tx) =>
      change(tx, id.toLowerCase(), { who, atMs: Date.now() }),
    );
    print(describeVersion(version), options);
    if (version.status === "waiting" && !options.json) {
      process.stderr.write("It waits for a second user to approve it.\n");
    }
  });
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
  if (missing.length > 0) process.stderr.write(`Never imported: ${missing.join(", ")}\n`);
}
