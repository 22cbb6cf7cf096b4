// Servers on loopback that misbehave on plain TCP and TLS, in ways that no HTTP server would.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { Worker } from "node:worker_threads";

/** Called with the text of each complete request on a connection. */
export type Behave = (socket: Socket, request: string) => void;

/** An open server, to be closed at the end. */
export type Opened = { port: number; close(): Promise<void> };

export async function serve(behave: Behave): Promise<Opened> {
  return listening(createServer((socket) => onRequests(socket, behave)));
}

export async function serveTls(
  options: TlsOptions,
  behave: Behave,
  host?: string,
): Promise<Opened> {
  const server = createTlsServer(options, (socket) => onRequests(socket, behave));
  server.on("tlsClientError", () => {});
  return listening(server, host);
}

/** Handles a connection before any bytes are sent. */
export async function serveSockets(onSocket: (socket: Socket) => void): Promise<Opened> {
  return listening(
    createServer((socket) => {
      socket.on("error", () => {});
      onSocket(socket);
    }),
  );
}

/** A port where nothing listens. A connection of ours uses it, so that no other server can get it. */
export async function noServer(): Promise<Opened> {
  const server = await serveSockets(() => {});
  const user = connect({ port: server.port, host: "127.0.0.1" });
  user.on("error", () => {});
  await once(user, "connect");
  return {
    port: user.localPort as number,
    async close() {
      user.destroy();
      await server.close();
    },
  };
}

/**
 * Connecting at the port of any other IPv4 address of this machine is refused: one that listens keeps servers of all
 * addresses away. Undefined: there is one already.
 */
export async function onlyServerAt(host: string, port: number): Promise<Opened | undefined> {
  const server = createServer((socket) => socket.destroy()).listen(port, host);
  try {
    await once(server, "listening");
  } catch {
    return undefined;
  }
  return {
    port,
    async close() {
      server.close();
      await once(server, "close");
    },
  };
}

/** A port with a full queue: its process accepts no connections, so that connecting hangs. */
export async function stuckServer(): Promise<Opened> {
  const worker = new Worker(
    `const { parentPort } = require("node:worker_threads");
     const server = require("node:net").createServer();
     server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
       parentPort.postMessage(server.address().port);
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
     });`,
    { eval: true },
  );
  const [port] = (await once(worker, "message")) as [number];
  const fillers = Array.from({ length: 8 }, () => connect({ port, host: "127.0.0.1" }));
  for (const filler of fillers) filler.on("error", () => {});
  await Promise.all(fillers.slice(0, 2).map((filler) => once(filler, "connect")));
  return {
    port,
    async close() {
      for (const filler of fillers) filler.destroy();
      await worker.terminate();
    },
  };
}

function onRequests(socket: Socket, behave: Behave): void {
  let unread = "";
  socket.on("error", () => {});
  socket.on("data", (chunk) => {
    unread += chunk.toString("latin1");
    for (let end = endOfRequest(unread); end > 0; end = endOfRequest(unread)) {
      const request = unread.slice(0, end);
      unread = unread.slice(end);
      behave(socket, request);
    }
  });
}

function endOfRequest(text: string): number {
  const bodyAt = text.indexOf("\r\n\r\n") + 4;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
  return bodyAt < 4 || text.length < bodyAt + length ? 0 : bodyAt + length;
}

async function listening(server: Server, host = "127.0.0.1"): Promise<Opened> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Writes without end, as fast as the other side reads, until it disconnects. */
export function pour(socket: Socket, bytes: Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on("drain", more);
  more();
}

/** Writes one character at a time, with a pause, until the other side disconnects. */
export function drip(socket: Socket, text: string, everyMs: number): void {
  let at = 0;
  const timer = setInterval(() => {
    socket.write(text[at % text.length] as string);
    at += 1;
  }, everyMs);
  socket.on("close", () => clearInterval(timer));
}
