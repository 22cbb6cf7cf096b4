// The archive of the WAL: a folder with every WAL file since archiving began. Each complete file has its SHA-256 beside
// it, as sha256sum writes it. The file that PostgreSQL is writing ends in .partial.

import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { hashFile } from "./durable-files.ts";
import { BackupError } from "./manifest.ts";
import { isHistoryFile, readWalFileName, type WalSegment } from "./wal-position.ts";

export const partialEnding = ".partial";
export const hashEnding = ".sha256";
/** The database cluster whose WAL it is. */
export const sourceFile = "source.json";
/** Until when, and to which position, the WAL is archived. */
export const pointFile = "archived.json";

export type ArchivedPoint = { lsn: string; at: string };
export type ArchivedSegment = WalSegment & { file: string; isPartial: boolean };

export const walFolderOf = (folder: string): string => join(folder, "wal");

/** In order. A complete file replaces its partial one. */
export async function listSegments(
  folder: string,
  segmentBytes: bigint,
): Promise<{ segments: ArchivedSegment[]; histories: string[] }> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const there = new Set(names);
  const segments = names.flatMap((file) => {
    const isPartial = file.endsWith(partialEnding);
    const name = isPartial ? file.slice(0, -partialEnding.length) : file;
    const segment = readWalFileName(name, segmentBytes);
    return segment && !(isPartial && there.has(name)) ? [{ ...segment, file, isPartial }] : [];
  });
  segments.sort((one, other) => Number(one.number - other.number) || one.timeline - other.timeline);
  return { segments, histories: names.filter(isHistoryFile) };
}

/**
 * The segments from one on, without a gap. Timelines overlap where a restored copy went on: each of their files counts.
 * `missing`: the number of a segment that is not there although later ones are.
 */
export function followingSegments(
  segments: readonly ArchivedSegment[],
  first: bigint,
): { following: ArchivedSegment[]; missing: bigint | undefined } {
  const following: ArchivedSegment[] = [];
  let next = first;
  for (const segment of segments.filter(({ number }) => number >= first)) {
    if (segment.number > next) return { following, missing: next };
    following.push(segment);
    next = segment.number + 1n;
  }
  return { following, missing: undefined };
}

export async function requireUndamaged(folder: string, { file, isPartial }: ArchivedSegment) {
  if (isPartial) return;
  const path = join(folder, file);
  const [expected] = (await readFile(`${path}${hashEnding}`, "utf8")).split(" ");
  if ((await hashFile(path))?.sha256 !== expected) {
    throw new BackupError(`${path} is damaged: it has another SHA-256 than when it was archived.`);
  }
}

export async function readPoint(folder: string): Promise<ArchivedPoint | undefined> {
  return readJson<ArchivedPoint>(join(folder, pointFile));
}

export async function readSource(folder: string): Promise<string | undefined> {
  return (await readJson<{ system: string }>(join(folder, sourceFile)))?.system;
}

export async function removeSegment(folder: string, { file, isPartial }: ArchivedSegment) {
  if (!isPartial) await rm(join(folder, `${file}${hashEnding}`), { force: true });
  await rm(join(folder, file), { force: true });
}

async function readJson<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new BackupError(`${path} can't be read: ${(error as Error).message}`);
  }
}
