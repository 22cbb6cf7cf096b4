// A receiver of events: a real HTTP server that keeps what it was sent and answers as it is told to.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Heard = {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  id: string;
  atMs: number;
};

export type Sink = Awaited<ReturnType<typeof startSink>>;

/** `answer` may leave the response open; without it, everything is taken with 204. */
export async function startSink(
  answer: (heard: Heard, response: ServerResponse) => void = (_heard, response) =>
    response.writeHead(204).end(),
) {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const { headers, url: path = "" } = request;
      const id = String(headers["webhook-id"]);
      const one = { path, headers, body: Buffer.concat(chunks).toString(), id, atMs: Date.now() };
      heard.push(one);
      answer(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    heard,
    url: (path = "/") => `http://127.0.0.1:${port}${path}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
