// A session with a bank's SFTP server. The server has to show a pinned host key before it learns who we are, every call
// ends in time, and every failure is one of a few kinds.

import { createHash } from "node:crypto";
import { connect, type Socket } from "node:net";
import type { Client, SftpChannel, SftpDirectoryEntry, SftpError } from "ssh2";
import {
  type AddressPolicy,
  ForbiddenAddress,
  resolvePublic,
} from "../../platform/addresses/index.ts";
import { limits } from "../../platform/limits/index.ts";
import type { SftpSettings } from "../sftp-settings/index.ts";
import { type SftpFailure, sftpFailures } from "./failures.ts";

export class SftpProblem extends Error {
  readonly failure: SftpFailure;
  constructor(failure: SftpFailure, detail: string) {
    super(detail === "" ? sftpFailures[failure] : `${sftpFailures[failure]}: ${detail}`);
    this.name = "SftpProblem";
    this.failure = failure;
  }
}

export type SftpFile = { name: string; size: number; modifiedAtS: number };

export type SftpSession = {
  /** The files of a folder, without folders and links. */
  list(path: string): AsyncGenerator<SftpFile, void, void>;
  /** Undefined: there is no file of that name. */
  sizeOf(path: string): Promise<number | undefined>;
  /** Replaces a file that is there. */
  write(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  read(path: string): AsyncGenerator<Buffer, void, void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  close(): void;
};

export type SftpParts = { addresses: AddressPolicy; callMs?: number };

/** Servers need to take writes and reads of this size. */
export const sftpPieceBytes = 32_768;
const noSuchFile = 2;
const endOfFile = 1;
/** The type of a file, in its mode. */
const typeBits = 0o170000;
const regularFile = 0o100000;

export async function openSftp(
  settings: SftpSettings,
  { addresses, callMs = limits.sftpCallMs }: SftpParts,
): Promise<SftpSession> {
  const socket = await dial(settings, addresses, callMs);
  // Loaded here, because most installations never need it.
  const { default: ssh2 } = await import("ssh2");
  const client = new ssh2.Client();
  const calls = boundedCalls(client, socket, callMs);
  try {
    await logIn(client, calls, settings, socket, callMs);
    const channel = await calls.call<SftpChannel>("open a session", (done) => client.sftp(done));
    return sessionOn(channel, calls);
  } catch (error) {
    calls.end();
    throw error;
  }
}

/** The first of its addresses that answers. Connects to an address that was checked, never to the name. */
async function dial(
  { host, port }: SftpSettings,
  policy: AddressPolicy,
  callMs: number,
): Promise<Socket> {
  let failure = "it has no address";
  for (const { address, family } of await resolve(host, policy)) {
    try {
      return await new Promise<Socket>((done, fail) => {
        const socket = connect({ host: address, port, family, timeout: callMs });
        socket.once("connect", () => done(socket.setTimeout(0)));
        socket.once("timeout", () => socket.destroy(new Error("no answer in time")));
        socket.once("error", fail);
      });
    } catch (error) {
      failure = wordsOf(error);
    }
  }
  throw new SftpProblem("unreachable", failure);
}

async function resolve(host: string, policy: AddressPolicy) {
  try {
    return await resolvePublic(host, policy);
  } catch (error) {
    if (error instanceof ForbiddenAddress) throw new SftpProblem("forbidden", error.message);
    throw new SftpProblem("unreachable", wordsOf(error));
  }
}

type Calls = ReturnType<typeof boundedCalls>;

/** Calls that fail when the connection ends, or after a time. A server that is late once is not asked again. */
function boundedCalls(client: Client, socket: Socket, callMs: number) {
  let ended: SftpProblem | undefined;
  const pending = new Set<(problem: SftpProblem) => void>();
  function end(problem = new SftpProblem("cut", "")): void {
    ended ??= problem;
    for (const fail of [...pending]) fail(ended);
    client.destroy();
    socket.destroy();
  }
  client.on("error", (error: Error & { level?: string }) => {
    const isLogin = error.level === "client-authentication";
    end(new SftpProblem(isLogin ? "login" : "cut", isLogin ? "" : wordsOf(error)));
  });
  client.on("close", () => end());
  client.on("end", () => end());

  return {
    end,
    call<T = void>(
      what: string,
      start: (done: (error?: SftpError, value?: T) => void) => void,
    ): Promise<T> {
      return new Promise<T>((done, fail) => {
        if (ended) return fail(ended);
        const timer = setTimeout(() => end(new SftpProblem("timeout", what)), callMs);
        const settle = (finish: () => void) => {
          clearTimeout(timer);
          pending.delete(failCall);
          finish();
        };
        const failCall = (problem: SftpProblem) => settle(() => fail(problem));
        pending.add(failCall);
        try {
          start((error, value) => {
            if (!pending.has(failCall)) return;
            if (!error) settle(() => done(value as T));
            else if (typeof error.code === "number") settle(() => fail(error));
            else failCall(new SftpProblem("refused", `${what}, ${wordsOf(error)}`));
          });
        } catch (error) {
          failCall(new SftpProblem("refused", `${what}, ${wordsOf(error)}`));
        }
      });
    },
  };
}

async function logIn(
  client: Client,
  { call, end }: Calls,
  { user, password, private_key, passphrase, host_key }: SftpSettings,
  sock: Socket,
  callMs: number,
): Promise<void> {
  const pinned = host_key.split(" ");
  await call("log in", (done) => {
    client.once("ready", () => done());
    client.connect({
      sock,
      username: user,
      ...(password !== undefined && { password }),
      ...(private_key !== undefined && { privateKey: private_key }),
      ...(passphrase !== undefined && { passphrase }),
      // Our own timer ends first.
      readyTimeout: callMs * 2,
      hostVerifier(key) {
        const shown = fingerprintOf(key);
        if (pinned.includes(shown)) return true;
        end(new SftpProblem("host_key", `${shown} instead of ${host_key}`));
        return false;
      },
    });
  });
}

/** As `ssh-keygen -l` prints it. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/, "")}`;
}

function sessionOn(channel: SftpChannel, { call, end }: Calls): SftpSession {
  const asProblem = (what: string) => (error: unknown) => {
    if (error instanceof SftpProblem) throw error;
    throw new SftpProblem("refused", `${what}, ${wordsOf(error)}`);
  };
  const run = <T = void>(
    what: string,
    start: (done: (error?: SftpError, value?: T) => void) => void,
  ) => call<T>(what, start).catch(asProblem(what));

  /** Closing reports what the server could not store, so its failure counts. */
  const open = (path: string, flags: "r" | "w") =>
    run<Buffer>(`open ${path}`, (done) => channel.open(path, flags, done));
  const closeFile = (path: string, handle: Buffer) =>
    run(`close ${path}`, (done) => channel.close(handle, done));

  return {
    async *list(path) {
      const handle = await run<Buffer>(`open ${path}`, (done) => channel.opendir(path, done));
      for (;;) {
        const entries = await call<SftpDirectoryEntry[]>(`list ${path}`, (done) =>
          channel.readdir(handle, done),
        ).catch((error: SftpError) =>
          error.code === endOfFile ? undefined : asProblem(`list ${path}`)(error),
        );
        if (!entries) break;
        for (const { filename, attrs } of entries) {
          const { mode = 0, size = 0, mtime = 0 } = attrs;
          const type = mode & typeBits;
          // Some servers don't say what it is.
          if (type !== 0 && type !== regularFile) continue;
          yield { name: filename, size, modifiedAtS: mtime };
        }
      }
      await closeFile(path, handle);
    },
    async sizeOf(path) {
      try {
        const stats = await call<{ size: number }>(`stat ${path}`, (done) =>
          channel.stat(path, done),
        );
        return stats.size;
      } catch (error) {
        if ((error as SftpError).code === noSuchFile) return undefined;
        return asProblem(`stat ${path}`)(error);
      }
    },
    async write(path, bytes) {
      const handle = await open(path, "w");
      let position = 0;
      for await (const part of bytes) {
        const data = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
        for (let offset = 0; offset < data.length; offset += sftpPieceBytes) {
          const length = Math.min(sftpPieceBytes, data.length - offset);
          await run(`write ${path}`, (done) =>
            channel.write(handle, data, offset, length, position, done),
          );
          position += length;
        }
      }
      await closeFile(path, handle);
    },
    async *read(path) {
      const handle = await open(path, "r");
      for (let position = 0; ; ) {
        const piece = Buffer.alloc(sftpPieceBytes);
        const read = await call<number>(`read ${path}`, (done) =>
          channel.read(handle, piece, 0, sftpPieceBytes, position, done),
        ).catch((error: SftpError) =>
          error.code === endOfFile ? 0 : asProblem(`read ${path}`)(error),
        );
        if (read === 0) break;
        position += read;
        yield piece.subarray(0, read);
      }
      await closeFile(path, handle);
    },
    rename: (from, to) => run(`rename ${from} to ${to}`, (done) => channel.rename(from, to, done)),
    remove: (path) => run(`remove ${path}`, (done) => channel.unlink(path, done)),
    close: () => end(),
  };
}

function wordsOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return typeof code === "string" && /^E[A-Z]+$/.test(code) ? code : message.slice(0, 200);
}
