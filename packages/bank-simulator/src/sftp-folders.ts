// The two folders of the bank as its SFTP clients see them: /in takes files of payments, /out holds the answers. Clients
// add files and read them. They change or remove none that the bank may have taken: the folders are its memory.

import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join, posix } from "node:path";
import { isUnfinished } from "./simulator.ts";

export type BankFolders = { inFolder: string; outFolder: string };

export type FileAttributes = {
  mode: number;
  uid: number;
  gid: number;
  size: number;
  atime: number;
  mtime: number;
};

/** Of the SFTP protocol, version 3. */
export const sftpStatus = {
  ok: 0,
  endOfFile: 1,
  noSuchFile: 2,
  denied: 3,
  failure: 4,
} as const;

/** A request that is refused, with its status. */
export class SftpRefusal extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`SFTP status ${status}`);
    this.status = status;
  }
}

type Place =
  | { kind: "root" }
  | { kind: "folder"; path: string }
  | { kind: "file"; path: string; name: string; isIn: boolean };

export type ListedFile = { filename: string; longname: string; attrs: FileAttributes };

const names = ["in", "out"] as const;
/** A name that leads out of the folder is not followed. Windows has no such flag. */
const noFollow = constants.O_NOFOLLOW ?? 0;

/** An absolute path of the server, from whatever a client sends. */
export function absolutePath(path: string): string {
  return posix.resolve("/", path);
}

function placeOf({ inFolder, outFolder }: BankFolders, path: string): Place {
  const [folder, name, ...deeper] = absolutePath(path).split("/").slice(1);
  if (folder === "" || folder === undefined) return { kind: "root" };
  const isIn = folder === "in";
  if ((!isIn && folder !== "out") || deeper.length > 0)
    throw new SftpRefusal(sftpStatus.noSuchFile);
  const base = isIn ? inFolder : outFolder;
  if (name === undefined) return { kind: "folder", path: base };
  // The host key, and answers that are being written. A backslash separates folders on Windows.
  if (name.startsWith(".") || /[\\\0]/.test(name)) throw new SftpRefusal(sftpStatus.denied);
  return { kind: "file", path: join(base, name), name, isIn };
}

function fileAt(folders: BankFolders, path: string): Place & { kind: "file" } {
  const place = placeOf(folders, path);
  if (place.kind !== "file") throw new SftpRefusal(sftpStatus.failure);
  return place;
}

export function openToRead(folders: BankFolders, path: string): number {
  return openSync(fileAt(folders, path).path, constants.O_RDONLY | noFollow);
}

export function openToWrite(folders: BankFolders, path: string): number {
  const { isIn, name, path: at } = fileAt(folders, path);
  if (!isIn) throw new SftpRefusal(sftpStatus.denied);
  // A file under its last name may have been taken already.
  const how = isUnfinished(name) ? constants.O_TRUNC : constants.O_EXCL;
  return openSync(at, constants.O_WRONLY | constants.O_CREAT | how | noFollow, 0o600);
}

/** Undefined at the end of the file. */
export function readPart(file: number, offset: number, length: number): Buffer | undefined {
  const part = Buffer.alloc(Math.min(length, 65_536));
  const read = readSync(file, part, 0, part.length, offset);
  return read === 0 ? undefined : part.subarray(0, read);
}

export function writePart(file: number, offset: number, data: Buffer): void {
  for (let written = 0; written < data.length; ) {
    written += writeSync(file, data, written, data.length - written, offset + written);
  }
}

export function closeFile(file: number): void {
  closeSync(file);
}

export function attributesOfOpen(file: number): FileAttributes {
  return attributesIn(fstatSync(file));
}

export function attributesAt(folders: BankFolders, path: string): FileAttributes {
  const place = placeOf(folders, path);
  return attributesIn(lstatSync(place.kind === "root" ? folders.inFolder : place.path));
}

function attributesIn({ mode, size, atimeMs, mtimeMs }: Stats): FileAttributes {
  const seconds = (ms: number) => Math.floor(ms / 1000);
  return { mode, uid: 0, gid: 0, size, atime: seconds(atimeMs), mtime: seconds(mtimeMs) };
}

export function listFolder(folders: BankFolders, path: string): ListedFile[] {
  const place = placeOf(folders, path);
  if (place.kind === "file") throw new SftpRefusal(sftpStatus.noSuchFile);
  const found =
    place.kind === "root"
      ? names.map((name) => ({ name, path: name === "in" ? folders.inFolder : folders.outFolder }))
      : readdirSync(place.path, { withFileTypes: true })
          .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
          .map(({ name }) => ({ name, path: join(place.path, name) }));
  return found.flatMap(({ name, path: at }) => {
    const stats = lstatSync(at, { throwIfNoEntry: false });
    return stats ? [listed(name, stats)] : [];
  });
}

/** Clients show the long name as it is, in the form of `ls -l`. */
function listed(filename: string, stats: Stats): ListedFile {
  const kind = stats.isDirectory() ? "drwx------" : "-rw-------";
  const day = stats.mtime.toISOString().slice(0, 10);
  const longname = `${kind} 1 bank bank ${String(stats.size).padStart(10)} ${day} ${filename}`;
  return { filename, longname, attrs: attributesIn(stats) };
}

/** Only a file that is being written gets its last name, and never that of another one. */
export function renameFile(folders: BankFolders, from: string, to: string): void {
  const [source, target] = [fileAt(folders, from), fileAt(folders, to)];
  const isOwn = source.isIn && target.isIn && isUnfinished(source.name);
  if (!isOwn) throw new SftpRefusal(sftpStatus.denied);
  if (existsSync(target.path)) throw new SftpRefusal(sftpStatus.failure);
  renameSync(source.path, target.path);
}

export function removeFile(folders: BankFolders, path: string): void {
  const { isIn, name, path: at } = fileAt(folders, path);
  if (!isIn || !isUnfinished(name)) throw new SftpRefusal(sftpStatus.denied);
  unlinkSync(at);
}
