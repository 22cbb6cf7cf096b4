// Starts the measured servers and their counterparts, each in its own process, and stops them all.

import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "./database.ts";
import type { Command, DelivererSetup, Obeyed } from "./deliverers/deliverer.ts";
import type { BareSetup } from "./servers/bare.ts";
import type { DisburseSetup } from "./servers/disburse.ts";
import type { PeerSetup } from "./servers/peer.ts";

const main = join(import.meta.dirname, "..", "server", "src", "doors", "cli", "main.mjs");

export type Server = { port: number; pid: number; stop(): Promise<void> };

export type Sink = Server & {
  /** Counts requests from zero, and resolves when `count` have arrived. */
  expect(count: number): Promise<void>;
};

export type DelivererName = "disburse" | "undici" | "pg-boss" | "graphile-worker" | "peer";

export type DelivererProcess = {
  tell(command: Command): Promise<Obeyed>;
  stop(): Promise<void>;
};

export type Servers = {
  disburse(database: Database, batching?: "off"): Promise<Server>;
  /** The same, with a second port that writes the request log. */
  disburseLogging(database: Database): Promise<Server & { loggingPort: number }>;
  /** `disburse serve` with this number of processes, without background work. */
  serve(database: Database, processes: number): Promise<Server>;
  bare(setup: BareSetup): Promise<Server>;
  /** The same operations in NestJS and Prisma. It is built before. */
  peer(setup: PeerSetup): Promise<Server>;
  sink(): Promise<Sink>;
  deliverer(name: DelivererName, setup: DelivererSetup): DelivererProcess;
  stopAll(): Promise<void>;
};

export function serversLoggingIn(folder: string): Servers {
  const running = new Set<() => Promise<void>>();

  function start(file: string, setup: object) {
    // Output goes to a file, as under a service manager: a pipe would have to be read.
    const log = openSync(join(folder, "servers.log"), "a");
    const child = fork(join(import.meta.dirname, file), [JSON.stringify(setup)], {
      stdio: ["ignore", log, "inherit", "ipc"],
    });
    closeSync(log);
    running.add(stop);
    return { child, stop };

    async function stop(): Promise<void> {
      running.delete(stop);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.disconnect();
      await exited;
    }
  }

  async function listen(file: string, setup: BareSetup | DisburseSetup | object) {
    const { child, stop } = start(join("servers", file), setup);
    const ports = await answerOf<{ port: number; loggingPort: number }>(child);
    return { child, pid: child.pid ?? 0, ...ports, stop };
  }

  async function serve({ connection, masterKey }: Database, processes: number): Promise<Server> {
    const log = openSync(join(folder, "servers.log"), "a");
    const words = ["serve", "--role", "api", "--processes", String(processes)];
    const child = spawn(process.execPath, [main, ...words], {
      env: {
        PATH: process.env.PATH,
        PORT: "0",
        DATABASE_URL: urlOf(connection),
        DISBURSE_MASTER_KEY: masterKey.toString("base64"),
        RATE_LIMIT_PER_S: "0",
        NODE_ENV: "production",
      },
      stdio: ["ignore", log, "pipe"],
    });
    closeSync(log);
    running.add(stop);
    const exited = once(child, "exit");

    async function stop(): Promise<void> {
      running.delete(stop);
      child.kill("SIGTERM");
      await exited;
    }

    const port = await new Promise<number>((resolve, reject) => {
      let said = "";
      child.stderr?.on("data", (chunk) => {
        said += chunk;
        const [, found] = /Base address +http:\/\/127\.0\.0\.1:(\d+)/.exec(said) ?? [];
        if (found) resolve(Number(found));
      });
      child.once("exit", () => reject(new Error(`disburse serve ended too early: ${said}`)));
    });
    return { port, pid: child.pid ?? 0, stop };
  }

  const disburse = ({ connection, masterKey }: Database, setup: Partial<DisburseSetup>) =>
    listen("disburse.ts", {
      connection,
      masterKeyBase64: masterKey.toString("base64"),
      ...setup,
    });

  return {
    disburse: (database, batching) => disburse(database, batching ? { batching } : {}),
    disburseLogging: (database) => disburse(database, { andLogging: true }),
    serve,
    bare: (setup) => listen("bare.ts", setup),
    peer: ({ connection }) => listen("peer.ts", { connection }),
    async sink() {
      const { child, pid, port, stop } = await listen("sink.ts", {});
      return {
        port,
        pid,
        stop,
        async expect(count) {
          child.send({ expect: count });
          await answerOf(child);
        },
      };
    },
    deliverer(name, setup) {
      const { child, stop } = start(join("deliverers", `${name}.ts`), setup);
      return {
        stop,
        tell(command) {
          child.send(command);
          return answerOf(child);
        },
      };
    },
    async stopAll() {
      await Promise.all([...running].map((stop) => stop()));
    },
  };
}

/** The driver takes the folder of a socket as a parameter. */
function urlOf({ host, port, user, password, database }: Database["connection"]): string {
  const url = new URL(`postgres://localhost:${port}/${database}`);
  url.username = user ?? "";
  url.password = String(password);
  if (host) url.searchParams.set("host", host);
  return url.href;
}

function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error(`${child.spawnargs[1]} ended too early`));
    child.once("exit", onExit);
    child.once("message", (message) => {
      child.off("exit", onExit);
      resolve(message as Answer);
    });
  });
}
