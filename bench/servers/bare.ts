// The limit of the runtime: node:http with nothing behind it. The same bytes for every request.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { limits } from "../../server/src/platform/limits/limits.ts";

export type BareSetup = { headers: Record<string, string>; body: string };

const { headers, body }: BareSetup = JSON.parse(process.argv[2] as string);
const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
// Node sends this timeout in a header. It must equal the service's, so that responses have the same length.
server.keepAliveTimeout = limits.keepAliveTimeoutMs;
server.listen(0, "127.0.0.1", () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});

process.on("SIGINT", () => {});
process.on("disconnect", () => process.exit(0));
