// An SFTP server on this machine that keeps files in memory, and that can lie, cut, fill up, refuse and stall.

import { once } from "node:events";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { fingerprintOf } from "../../src/banks/sftp/session.ts";

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
        serveFiles(acceptSftp(), { files, renamed, faults, cut: () => client._sock.destroy() }),
      ),
    );
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  return {
    files,
    renamed,
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
  faults: SftpFaults;
  cut(): void;
};

function serveFiles(channel: Untyped, { files, renamed, faults, cut }: Store): void {
  const open = new Map<string, { path: string; written: number }>();
  let handles = 0;
  const say = (id: number, code: number) => {
    if (faults.delayMs) setTimeout(() => channel.status(id, code), faults.delayMs);
    else channel.status(id, code);
  };
  const fileOf = (handle: Buffer) => open.get(handle.toString("hex"));

  channel.on("OPEN", (id: number, path: string, flags: number) => {
    const isWrite = (flags & utils.sftp.OPEN_MODE.WRITE) !== 0;
    if (!isWrite && faults.deniesReading) return say(id, status.PERMISSION_DENIED);
    if (!isWrite && !files.has(path)) return say(id, status.NO_SUCH_FILE);
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
    const bytes = files.get(fileOf(handle)?.path ?? "") ?? Buffer.alloc(0);
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
