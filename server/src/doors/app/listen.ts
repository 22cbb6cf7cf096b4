// Opens the port, and closes it without cutting off requests.

import { Server as NetServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { limits } from "../../platform/limits/index.ts";
import type { Listening } from "../process/index.ts";
import { addressOf } from "../setup/index.ts";
import { acceptInTurn } from "./accept-in-turn.ts";
import { type AppOptions, buildApp } from "./app.ts";

type ListenOptions = Omit<AppOptions, "isDraining"> & { host: string; port: number };

export async function listen({ host, port, ...options }: ListenOptions): Promise<Listening> {
  let draining = false;
  const app = await buildApp({ ...options, isDraining: () => draining });
  await app.listen({ host, port }).catch(async (error) => {
    // Its open handles would keep the process alive.
    await app.close();
    throw error;
  });
  const sockets = new Set<Socket>();
  app.server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  if (options.db.place.processes > 1) acceptInTurn(app.server);
  const taken = app.server.address();
  const takenPort = typeof taken === "object" && taken ? taken.port : port;

  async function close(drainMs = (): number => limits.drainMs): Promise<void> {
    draining = true;
    await sleep(limits.acceptMs);
    // Not http.Server.close: that would cut kept-alive connections on which a request may just be
    // arriving. They stay open for a moment, and each is closed with its next answer.
    NetServer.prototype.close.call(app.server);
    await connectionsGone(drainMs, () => {});
    app.server.closeIdleConnections();
    // Node does not count a connection that never sent anything as idle, and would wait for it.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    await connectionsGone(
      () => limits.shutdownMs - drainMs(),
      () => app.server.closeIdleConnections(),
    );
    app.server.closeAllConnections();
    await app.close();
  }

  async function connectionsGone(withinMs: () => number, onWait: () => void): Promise<void> {
    const startMs = performance.now();
    while (performance.now() - startMs < withinMs()) {
      const open = await new Promise<number>((resolve) => {
        app.server.getConnections((_error, count) => resolve(count ?? 0));
      });
      if (open === 0) return;
      await sleep(20);
      onWait();
    }
  }

  return { address: addressOf(host, takenPort), port: takenPort, close };
}
