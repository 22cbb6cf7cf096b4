// Types for the part of ssh2 that we use. The package has none.

declare module "ssh2" {
  import type { EventEmitter } from "node:events";
  import type { Duplex } from "node:stream";

  export type SftpError = Error & { code?: number };
  type Done = (error?: SftpError) => void;

  export type SftpDirectoryEntry = {
    filename: string;
    /** A server may leave any of them out. */
    attrs: { mode?: number; size?: number; mtime?: number };
  };

  export type SftpChannel = EventEmitter & {
    open(
      path: string,
      flags: "r" | "w",
      done: (error: SftpError | undefined, handle: Buffer) => void,
    ): void;
    write(
      handle: Buffer,
      data: Buffer,
      offset: number,
      length: number,
      position: number,
      done: Done,
    ): void;
    read(
      handle: Buffer,
      data: Buffer,
      offset: number,
      length: number,
      position: number,
      done: (error: SftpError | undefined, bytesRead: number) => void,
    ): void;
    close(handle: Buffer, done: Done): void;
    stat(path: string, done: (error: SftpError | undefined, stats: { size: number }) => void): void;
    opendir(path: string, done: (error: SftpError | undefined, handle: Buffer) => void): void;
    readdir(
      handle: Buffer,
      done: (error: SftpError | undefined, entries: SftpDirectoryEntry[]) => void,
    ): void;
    rename(from: string, to: string, done: Done): void;
    unlink(path: string, done: Done): void;
  };

  export class Client extends EventEmitter {
    connect(options: {
      sock: Duplex;
      username: string;
      password?: string;
      privateKey?: string;
      passphrase?: string;
      readyTimeout: number;
      hostVerifier(key: Buffer): boolean;
    }): void;
    sftp(done: (error: Error | undefined, channel: SftpChannel) => void): void;
    end(): void;
    destroy(): void;
  }

  export const utils: {
    parseKey(key: string, passphrase?: string): Error | object;
  };
}
