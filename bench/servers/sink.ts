// The endpoint of the measured deliveries: reads each body, responds with 204, and reports when all have arrived.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

let received = 0;
let expected = 0;

const server = createServer((request, response) => {
  request.resume();
  request.once("end", () => {
    response.writeHead(204).end();
    received += 1;
    if (received === expected) process.send?.({ received });
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});

process.on("message", ({ expect }: { expect: number }) => {
  received = 0;
  expected = expect;
});
process.on("SIGINT", () => {});
process.on("disconnect", () => process.exit(0));
