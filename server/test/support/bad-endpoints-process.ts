// The bad endpoints in a separate process, so that the other process measures only itself.

import { fork } from "node:child_process";
import { once } from "node:events";
import type { Times } from "./bad-endpoint-kinds.ts";
import { type OpenedEndpoint, openBadEndpoints } from "./bad-endpoints.ts";

type EndpointsProcess = {
  endpoints: OpenedEndpoint[];
  dnsAddress: string;
  canaryHits(): Promise<number>;
  close(): Promise<void>;
};

export async function startBadEndpoints(times: Times): Promise<EndpointsProcess> {
  const child = fork(import.meta.filename, [JSON.stringify(times)]);
  const [opened] = (await once(child, "message")) as [
    Omit<EndpointsProcess, "canaryHits" | "close">,
  ];
  return {
    ...opened,
    async canaryHits() {
      child.send("hits?");
      const [hits] = (await once(child, "message")) as [number];
      return hits;
    },
    async close() {
      child.disconnect();
      await once(child, "exit");
    },
  };
}

if (import.meta.main) {
  const opened = await openBadEndpoints(JSON.parse(process.argv[2] as string));
  process.send?.({ endpoints: opened.endpoints, dnsAddress: opened.dnsAddress });
  process.on("message", () => process.send?.(opened.canaryHits()));
  process.once("disconnect", () => process.exit());
}
