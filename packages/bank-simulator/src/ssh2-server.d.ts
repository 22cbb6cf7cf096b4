// Types for the part of ssh2's server that the bank simulator uses. The package has none.

declare module "ssh2" {
  import type { EventEmitter } from "node:events";
  import type { Duplex } from "node:stream";

  import type { FileAttributes } from "./sftp-folders.ts";

  /** A client asks with events such as OPEN, each with the id of the request. Each id is answered once. */
  export type ServerChannel = EventEmitter & {
    status(id: number, code: number): void;
    handle(id: number, handle: Buffer): void;
    data(id: number, bytes: Buffer): void;
    attrs(id: number, attributes: FileAttributes): void;
    end(): void;
    name(
      id: number,
      names: readonly { filename: string; longname: string; attrs: FileAttributes }[],
    ): void;
  };

  export type LoginAttempt = {
    method: string;
    username: string;
    password?: string;
    accept(): void;
    reject(methods?: readonly string[]): void;
  };

  type Accept<T> = () => T;

  export type ServerConnection = EventEmitter & {
    on(event: "authentication", listener: (attempt: LoginAttempt) => void): ServerConnection;
    on(
      event: "session",
      listener: (
        accept: Accept<{
          on(event: "sftp", listener: (accept: Accept<ServerChannel>) => void): unknown;
        }>,
      ) => void,
    ): ServerConnection;
    end(): void;
  };

  export class Server extends EventEmitter {
    constructor(
      options: { hostKeys: readonly string[] },
      onConnection: (connection: ServerConnection) => void,
    );
    /** Serves a connection that another server has accepted. */
    injectSocket(socket: Duplex): void;
  }
}
