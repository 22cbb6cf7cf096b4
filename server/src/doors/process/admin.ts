// The admin port: GET /metrics, GET /healthz and GET /readyz. It has no authentication, so it listens on this machine
// only, unless ADMIN_HOST says otherwise.

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { limits } from "../../platform/limits/index.ts";
import type { Log } from "../../platform/log/index.ts";
import type { Metrics } from "../../platform/metrics/index.ts";
import { addressOf } from "../setup/index.ts";
import { type Readiness, readinessOf } from "./health.ts";

export type Admin = { address: string; port: number; close(): Promise<void> };

type AdminOptions = {
  host: string;
  port: number;
  /** ADMIN_PORT is set. Otherwise any free port will do. */
  isChosen: boolean;
  metrics: Pick<Metrics, "contentType" | "text">;
  log: Log;
  /** A worker has no other port for health checks. */
  readiness: Readiness;
};

export async function openAdmin(options: AdminOptions): Promise<Admin> {
  const { host, log } = options;
  const server = adminServer(options);
  const port = await listenOn(server, options).catch((error: NodeJS.ErrnoException) => {
    if (options.isChosen || error.code !== "EADDRINUSE") throw error;
    return listenOn(server, { host, port: 0 });
  });
  if (options.port !== 0 && port !== options.port) {
    log.warn(
      { wanted: options.port, taken: port },
      "the admin port was taken, another one is used",
    );
  }
  return {
    address: addressOf(host, port),
    port,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function adminServer({ metrics, log, readiness }: AdminOptions): Server {
  const server = createServer(async ({ method, url = "" }, response) => {
    const send = (status: number, type: string, body: string) =>
      response.writeHead(status, { "content-type": type }).end(body);
    const [path] = url.split("?");
    if (method === "GET" && path === "/metrics") {
      try {
        send(200, metrics.contentType, await metrics.text());
      } catch (error) {
        log.error({ err: error }, "metrics");
        send(500, "text/plain", "internal error\n");
      }
    } else if (method === "GET" && path === "/healthz") {
      send(200, "application/json", '{"status":"ok"}');
    } else if (method === "GET" && path === "/readyz") {
      const ready = await readinessOf(readiness);
      send(ready.status === "ready" ? 200 : 503, "application/json", JSON.stringify(ready));
    } else {
      send(404, "text/plain", "not found\n");
    }
  });
  server.headersTimeout = limits.headersTimeoutMs;
  server.requestTimeout = limits.requestTimeoutMs;
  return server;
}

async function listenOn(
  server: Server,
  { host, port }: { host: string; port: number },
): Promise<number> {
  server.listen({ host, port });
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
