// A webhook endpoint for tests: a real HTTP server that keeps the events it received and answers as the test asks.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Received = {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  id: string;
  atMs: number;
};

export type Sink = Awaited<ReturnType<typeof startSink>>;

/** `answer` may leave the response open. Without it, every event is answered with 204. */
export async function startSink(
  answer: (received: Received, response: ServerResponse) => void = (_received, response) =>
    response.writeHead(204).end(),
) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const { headers, url: path = "" } = request;
      const id = String(headers["webhook-id"]);
      const one = { path, headers, body: Buffer.concat(chunks).toString(), id, atMs: Date.now() };
      received.push(one);
      answer(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    received,
    url: (path = "/") => `http://127.0.0.1:${port}${path}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
