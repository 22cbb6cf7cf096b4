// The simulator's own SFTP server: one user with a password, who sends files to /in and reads answers in /out.

import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { ServerChannel } from "ssh2";
import { keptHostKey } from "./host-key.ts";
import {
  absolutePath,
  attributesAt,
  attributesOfOpen,
  type BankFolders,
  closeFile,
  type ListedFile,
  listFolder,
  openToRead,
  openToWrite,
  readPart,
  removeFile,
  renameFile,
  SftpRefusal,
  sftpStatus,
  writePart,
} from "./sftp-folders.ts";

export type SftpOptions = BankFolders & {
  address: string;
  /** 0: one that is free. */
  port: number;
  user: string;
  password: string;
};

export type RunningSftp = { address: string; port: number; fingerprint: string; close(): void };

const loginsMax = 5;
const handlesMax = 64;
/** Files in one answer to READDIR. */
const entriesMax = 100;
/** The flag of OPEN that asks to write. */
const writeFlag = 2;

export async function startSimulatorSftp(options: SftpOptions): Promise<RunningSftp> {
  const { privateKey, fingerprint } = keptHostKey(options.inFolder);
  // Loaded here, because most simulators serve folders only.
  const { default: ssh2 } = await import("ssh2");
  const ssh = new ssh2.Server({ hostKeys: [privateKey] }, (connection) => {
    let refused = 0;
    // A client that breaks the protocol loses its connection, and nothing else.
    connection.on("error", () => {});
    connection.on("authentication", (attempt) => {
      const { method, username, password = "" } = attempt;
      const isRight = isSame(username, options.user) && isSame(password, options.password);
      if (method === "password" && isRight) return attempt.accept();
      // Clients begin with a question about the methods.
      if (method !== "none") refused += 1;
      attempt.reject(["password"]);
      if (refused >= loginsMax) connection.end();
    });
    connection.on("session", (accept) => {
      accept().on("sftp", (acceptChannel) => serveFolders(acceptChannel(), options));
    });
  });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    ssh.injectSocket(socket);
  });
  await once(server.listen(options.port, options.address), "listening");
  const { address, port } = server.address() as AddressInfo;
  return {
    address,
    port,
    fingerprint,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** In a time that does not depend on where they differ. */
function isSame(given: string, right: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(right));
}

type Handle = { file: number } | { entries: ListedFile[] };

function serveFolders(channel: ServerChannel, folders: BankFolders): void {
  const handles = new Map<number, Handle>();
  let opened = 0;

  function newHandle(open: () => Handle): Buffer {
    if (handles.size >= handlesMax) throw new SftpRefusal(sftpStatus.failure);
    handles.set(++opened, open());
    const name = Buffer.alloc(4);
    name.writeUInt32BE(opened);
    return name;
  }
  const numberOf = (name: Buffer) => (name.length === 4 ? name.readUInt32BE() : 0);
  function fileOf(name: Buffer): number {
    const handle = handles.get(numberOf(name));
    if (!handle || !("file" in handle)) throw new SftpRefusal(sftpStatus.failure);
    return handle.file;
  }
  const ok = (id: number) => channel.status(id, sftpStatus.ok);
  /** What `answer` throws becomes the answer. */
  function serve<Values extends unknown[]>(
    request: string,
    answer: (id: number, ...values: Values) => void,
  ): void {
    channel.on(request, (id: number, ...values: Values) => {
      try {
        answer(id, ...values);
      } catch (error) {
        channel.status(id, statusOf(error));
      }
    });
  }

  serve("OPEN", (id: number, path: string, flags: number) => {
    const open = (flags & writeFlag) === 0 ? openToRead : openToWrite;
    const name = newHandle(() => ({ file: open(folders, path) }));
    channel.handle(id, name);
  });
  serve("READ", (id: number, name: Buffer, offset: number, length: number) => {
    const part = readPart(fileOf(name), offset, length);
    if (part) channel.data(id, part);
    else channel.status(id, sftpStatus.endOfFile);
  });
  serve("WRITE", (id: number, name: Buffer, offset: number, data: Buffer) => {
    writePart(fileOf(name), offset, data);
    ok(id);
  });
  serve("CLOSE", (id: number, name: Buffer) => {
    const handle = handles.get(numberOf(name));
    if (!handle) throw new SftpRefusal(sftpStatus.failure);
    handles.delete(numberOf(name));
    if ("file" in handle) closeFile(handle.file);
    ok(id);
  });
  serve("OPENDIR", (id: number, path: string) => {
    const name = newHandle(() => ({ entries: listFolder(folders, path) }));
    channel.handle(id, name);
  });
  serve("READDIR", (id: number, name: Buffer) => {
    const handle = handles.get(numberOf(name));
    if (!handle || !("entries" in handle)) throw new SftpRefusal(sftpStatus.failure);
    const part = handle.entries.splice(0, entriesMax);
    if (part.length > 0) channel.name(id, part);
    else channel.status(id, sftpStatus.endOfFile);
  });
  for (const request of ["STAT", "LSTAT"]) {
    serve(request, (id: number, path: string) => channel.attrs(id, attributesAt(folders, path)));
  }
  serve("FSTAT", (id: number, name: Buffer) => channel.attrs(id, attributesOfOpen(fileOf(name))));
  // Clients set times and rights after they have written. Neither matters here.
  for (const request of ["SETSTAT", "FSETSTAT"]) serve(request, ok);
  serve("RENAME", (id: number, from: string, to: string) => {
    renameFile(folders, from, to);
    ok(id);
  });
  serve("REMOVE", (id: number, path: string) => {
    removeFile(folders, path);
    ok(id);
  });
  serve("REALPATH", (id: number, path: string) => {
    const filename = absolutePath(path);
    const attrs = { mode: 0, uid: 0, gid: 0, size: 0, atime: 0, mtime: 0 };
    channel.name(id, [{ filename, longname: filename, attrs }]);
  });
  channel.on("error", () => {});
  // A client that is done waits until the server has closed the channel too.
  channel.once("end", () => channel.end());
  channel.once("close", () => {
    for (const handle of handles.values()) if ("file" in handle) closeFile(handle.file);
    handles.clear();
  });
}

function statusOf(error: unknown): number {
  if (error instanceof SftpRefusal) return error.status;
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return sftpStatus.noSuchFile;
  return code === "EACCES" || code === "EPERM" ? sftpStatus.denied : sftpStatus.failure;
}
