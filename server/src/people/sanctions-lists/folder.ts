// The folder of sanctions lists: which of its files belong to which list. A list has a sub-folder of its name, or its
// files stand in the folder under the names of their publisher.

import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { FileListName, ListFile } from "../list-files/index.ts";

/** Names in the folder itself. The lists of OFAC are three files each; of the others the newest file counts. */
const patterns: Record<FileListName, RegExp> = {
  "ofac-sdn": /^(?:sdn|alt|add)\.csv$/i,
  "ofac-consolidated": /^cons_(?:prim|alt|add)\.csv$/i,
  un: /^(?:un|consolidated).*\.xml$/i,
  dfat: /^(?:dfat|regulation8|australian).*\.xlsx$/i,
  eu: /^(?:eu|.*full.*1_1).*\.xml$/i,
  uk: /^uk.*\.(?:csv|xml)$/i,
};

const isSeveral = (list: FileListName) => list.startsWith("ofac-");

export type FolderFile = { path: string; name: string; changedMs: number; size: number };

/** The files of a list, without their content. None where the folder has none. */
export async function findListFiles(folder: string, list: FileListName): Promise<FolderFile[]> {
  const own = await filesIn(join(folder, list), () => true);
  const found = own ?? (await filesIn(folder, (name) => patterns[list].test(name))) ?? [];
  const newestFirst = found.sort((a, b) => b.changedMs - a.changedMs);
  return isSeveral(list) ? newestFirst : newestFirst.slice(0, 1);
}

/** Undefined where there is no such folder. */
async function filesIn(
  folder: string,
  belongs: (name: string) => boolean,
): Promise<FolderFile[] | undefined> {
  let names: string[];
  try {
    names = (await readdir(folder, { withFileTypes: true }))
      .filter((one) => !one.isDirectory() && !one.name.startsWith(".") && belongs(one.name))
      .map(({ name }) => name);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const { mtimeMs, size } = await stat(path);
      return { path, name, changedMs: mtimeMs, size };
    }),
  );
}

/** Text that differs when a file was changed. */
export function signatureOf(files: readonly FolderFile[]): string {
  return files
    .map(({ name, changedMs, size }) => `${name} ${changedMs} ${size}`)
    .sort()
    .join("\n");
}

export function readFolderFiles(files: readonly FolderFile[]): Promise<ListFile[]> {
  return Promise.all(files.map(async ({ path, name }) => ({ name, bytes: await readFile(path) })));
}
