// An SFTP server on this machine that keeps files in memory, and that can lie, cut, fill up, refuse and stall.

import { once } from "node:events";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { fingerprintOf } from "../../src/banking/sftp/session.ts";

// ssh2's server has no types.
const { Server, utils } = createRequire(import.meta.url)("ssh2");
const { STATUS_CODE: status } = utils.sftp;

export type SftpFaults = {
  /** Says OK to writes and stores nothing. */
  storesNothing?: boolean;
  /** Cuts the connection after this many bytes of a file. */
  cutsAfter?: number;
  /** Has space for this many bytes of a file. */
  space?: number;
  deniesRename?: boolean;
  /** Says OK to a rename and leaves the file where it is. */
  liesAboutRename?: boolean;
  /** Renames, and cuts the connection before it says so. */
  cutsAfterRename?: boolean;
  /** Never answers a write. */
  stalls?: boolean;
  deniesReading?: boolean;
  /** Of files whose path has this ending. */
  deniesReadingOf?: string;
  /** Cuts the connection instead of giving bytes of a file. */
  cutsReads?: boolean;
  /** Never answers a read. */
  stallsReads?: boolean;
  /** Says that a file ends here. */
  readsOnly?: number;
  /** Lists files with this size. */
  listsSize?: number;
  /** Answers after this time. */
  delayMs?: number;
};

export type TestSftpServer = Awaited<ReturnType<typeof startSftpServer>>;

export const sftpPassword = "correct horse";

/** ECDSA, because about one in a few hundred of ssh2's Ed25519 keys can't be read. */
export function newSshKey(): { private: string; public: string } {
  return utils.generateKeyPairSync("ecdsa", { bits: 256 });
}

// biome-ignore lint/suspicious/noExplicitAny: ssh2's server has no types
type Untyped = any;

export async function startSftpServer({
  publicKey,
  port = 0,
}: {
  publicKey?: string;
  port?: number;
} = {}) {
  const files = new Map<string, Buffer>();
  /** Every name that a file was renamed to, with its bytes then. */
  const renamed: { name: string; bytes: Buffer }[] = [];
  /** When files were modified, where not at 0. */
  const modifiedAtS = new Map<string, number>();
  /** The paths of files that were opened to read. */
  const reads: string[] = [];
  const faults: SftpFaults = {};
  const logins: string[] = [];
  const clients = new Set<Untyped>();
  const hostKey = newSshKey();
  const server = new Server({ hostKeys: [hostKey.private] }, (client: Untyped) => {
    clients.add(client);
    client.on("error", () => {});
    client.on("close", () => clients.delete(client));
    client.on("authentication", (context: Untyped) => {
      const { method, password, key } = context;
      logins.push(method);
      const known = publicKey && utils.parseKey(publicKey);
      if (method === "password" && password === sftpPassword) return context.accept();
      if (method === "publickey" && known && known.getPublicSSH().equals(key.data)) {
        return context.accept();
      }
      return context.reject(["password", "publickey"]);
    });
    client.on("session", (accept: Untyped) =>
      accept().on("sftp", (acceptSftp: Untyped) =>
        serveFiles(acceptSftp(), {
          files,
          renamed,
          modifiedAtS,
          reads,
          faults,
          cut: () => client._sock.destroy(),
        }),
      ),
    );
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  return {
    files,
    renamed,
    modifiedAtS,
    reads,
    logins,
    faults,
    setFaults(next: SftpFaults) {
      for (const name of Object.keys(faults)) delete faults[name as keyof SftpFaults];
      Object.assign(faults, next);
    },
    port: (server.address() as AddressInfo).port,
    fingerprint: fingerprintOf(utils.parseKey(hostKey.private).getPublicSSH()),
    async close() {
      for (const client of clients) client._sock.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

type Store = {
  files: Map<string, Buffer>;
  renamed: { name: string; bytes: Buffer }[];
  modifiedAtS: Map<string, number>;
  reads: string[];
  faults: SftpFaults;
  cut(): void;
};

function serveFiles(channel: Untyped, store: Store): void {
  const { files, renamed, reads, faults, cut } = store;
  const open = new Map<string, { path: string; written: number }>();
  let handles = 0;
  const say = (id: number, code: number) => {
    if (faults.delayMs) setTimeout(() => channel.status(id, code), faults.delayMs);
    else channel.status(id, code);
  };
  const fileOf = (handle: Buffer) => open.get(handle.toString("hex"));

  channel.on("OPEN", (id: number, path: string, flags: number) => {
    const isWrite = (flags & utils.sftp.OPEN_MODE.WRITE) !== 0;
    const isDenied = faults.deniesReadingOf !== undefined && path.endsWith(faults.deniesReadingOf);
    if (!isWrite && (faults.deniesReading || isDenied)) return say(id, status.PERMISSION_DENIED);
    if (!isWrite && !files.has(path)) return say(id, status.NO_SUCH_FILE);
    if (!isWrite) reads.push(path);
    if (isWrite) files.set(path, Buffer.alloc(0));
    handles += 1;
    const handle = Buffer.alloc(4);
    handle.writeUInt32BE(handles);
    open.set(handle.toString("hex"), { path, written: 0 });
    return channel.handle(id, handle);
  });
  channel.on("WRITE", (id: number, handle: Buffer, offset: number, data: Buffer) => {
    const file = fileOf(handle);
    if (!file) return say(id, status.FAILURE);
    if (faults.stalls) return undefined;
    const end = offset + data.length;
    if (faults.space !== undefined && end > faults.space) return say(id, status.FAILURE);
    if (!faults.storesNothing) {
      const kept = files.get(file.path) ?? Buffer.alloc(0);
      const bytes = Buffer.alloc(Math.max(kept.length, end));
      kept.copy(bytes);
      data.copy(bytes, offset);
      files.set(file.path, bytes);
    }
    file.written += data.length;
    if (faults.cutsAfter !== undefined && file.written >= faults.cutsAfter) return cut();
    return say(id, status.OK);
  });
  channel.on("READ", (id: number, handle: Buffer, offset: number, length: number) => {
    if (faults.stallsReads) return undefined;
    if (faults.cutsReads) return cut();
    const whole = files.get(fileOf(handle)?.path ?? "") ?? Buffer.alloc(0);
    const bytes = whole.subarray(0, faults.readsOnly);
    if (offset >= bytes.length) return say(id, status.EOF);
    return channel.data(id, bytes.subarray(offset, offset + length));
  });
  channel.on("CLOSE", (id: number, handle: Buffer) => {
    open.delete(handle.toString("hex"));
    say(id, status.OK);
  });
  channel.on("STAT", (id: number, path: string) => {
    const bytes = files.get(path);
    if (!bytes) return say(id, status.NO_SUCH_FILE);
    return channel.attrs(id, {
      mode: 0o100600,
      uid: 0,
      gid: 0,
      size: bytes.length,
      atime: 0,
      mtime: 0,
    });
  });
  serveFolders(channel, store);
  channel.on("RENAME", (id: number, from: string, to: string) => {
    const bytes = files.get(from);
    if (faults.deniesRename || files.has(to)) return say(id, status.PERMISSION_DENIED);
    if (!bytes) return say(id, status.NO_SUCH_FILE);
    if (faults.liesAboutRename) return say(id, status.OK);
    files.delete(from);
    files.set(to, bytes);
    renamed.push({ name: to, bytes });
    return faults.cutsAfterRename ? cut() : say(id, status.OK);
  });
  channel.on("REMOVE", (id: number, path: string) =>
    say(id, files.delete(path) ? status.OK : status.NO_SUCH_FILE),
  );
}

/** A folder is there while a file is in it. Lists are given in parts, as servers do. */
function serveFolders(channel: Untyped, { files, modifiedAtS, faults }: Store): void {
  const open = new Map<string, object[][]>();
  const partMax = 100;
  const kinds = { file: 0o100600, folder: 0o040700 };
  function listing(path: string): object[] {
    const prefix = path === "." ? "" : `${path}/`;
    const inside = [...files].filter(([name]) => name.startsWith(prefix));
    const entries = inside.map(([name, bytes]) => {
      const [filename = "", below] = name.slice(prefix.length).split("/");
      const attrs = {
        mode: below === undefined ? kinds.file : kinds.folder,
        uid: 0,
        gid: 0,
        size: faults.listsSize ?? bytes.length,
        atime: 0,
        mtime: modifiedAtS.get(name) ?? 0,
      };
      return { filename, longname: filename, attrs };
    });
    return entries;
  }
  channel.on("OPENDIR", (id: number, path: string) => {
    const entries = listing(path);
    if (entries.length === 0) return channel.status(id, status.NO_SUCH_FILE);
    const handle = Buffer.from(`folder ${open.size} of ${path}`);
    const parts = Array.from({ length: Math.ceil(entries.length / partMax) }, (_, part) =>
      entries.slice(part * partMax, (part + 1) * partMax),
    );
    open.set(handle.toString("hex"), parts);
    return channel.handle(id, handle);
  });
  channel.on("READDIR", (id: number, handle: Buffer) => {
    const part = open.get(handle.toString("hex"))?.shift();
    return part ? channel.name(id, part) : channel.status(id, status.EOF);
  });
}
