// Starts the servers under test, each in a process of its own, and ends them all.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "./database.ts";
import type { BareSetup } from "./servers/bare.ts";
import type { DisburseSetup } from "./servers/disburse.ts";

export type Server = { port: number; stop(): Promise<void> };

export type Servers = {
  disburse(database: Database, batching?: "off"): Promise<Server>;
  bare(setup: BareSetup): Promise<Server>;
  stopAll(): Promise<void>;
};

export function serversLoggingIn(folder: string): Servers {
  const running = new Set<Server>();

  async function start(file: string, setup: BareSetup | DisburseSetup): Promise<Server> {
    // Into a file, as under a service manager: a pipe would make us read what the server says.
    const log = openSync(join(folder, "servers.log"), "a");
    const child = fork(join(import.meta.dirname, "servers", file), [JSON.stringify(setup)], {
      stdio: ["ignore", log, "inherit", "ipc"],
    });
    closeSync(log);
    const server = { port: await portOf(child, file), stop };
    running.add(server);
    return server;

    async function stop(): Promise<void> {
      running.delete(server);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.disconnect();
      await exited;
    }
  }

  return {
    disburse: ({ connection, masterKey }, batching) =>
      start("disburse.ts", {
        connection,
        masterKeyBase64: masterKey.toString("base64"),
        ...(batching && { batching }),
      }),
    bare: (setup) => start("bare.ts", setup),
    async stopAll() {
      await Promise.all([...running].map((server) => server.stop()));
    },
  };
}

function portOf(child: ChildProcess, file: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("message", (message: { port: number }) => resolve(message.port));
    child.once("exit", () => reject(new Error(`the server ${file} ended before it listened`)));
  });
}
