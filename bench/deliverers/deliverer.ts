// The process of a deliverer, which follows the commands of its parent.

import type { ClientConfig } from "pg";

export type DelivererSetup = {
  connection: ClientConfig;
  masterKeyBase64: string;
  /** The origin of the sink, where each endpoint is a path. */
  origin: string;
  endpoints: readonly { subaccountId: string; secret: string }[];
  /** The same for every event. */
  body: string;
};

type Deliverer = {
  /** Leaves exactly `count` events waiting. */
  load(count: number): Promise<void>;
  start(): Promise<void>;
  /** Resolves when no delivery is running. */
  stop(): Promise<void>;
};

export type Command = { command: "load"; count: number } | { command: "start" | "stop" };
export type Obeyed = { cpuUs: number };

/** Reports each finished command to the parent, with the processor time since the previous one. */
export function obey(deliverer: (setup: DelivererSetup) => Deliverer): void {
  const { load, start, stop } = deliverer(JSON.parse(process.argv[2] as string));
  let usedBefore = process.cpuUsage();

  process.on("message", async (asked: Command) => {
    if (asked.command === "load") await load(asked.count);
    else if (asked.command === "start") await start();
    else await stop();
    const { user, system } = process.cpuUsage(usedBefore);
    usedBefore = process.cpuUsage();
    process.send?.({ cpuUs: user + system } satisfies Obeyed);
  });
  process.on("SIGINT", () => {});
  process.on("disconnect", () => process.exit(0));
}
