// A TCP gateway in front of a service: while it is down, connections are refused and open ones are cut, as when the
// server is stopped.

import { once } from "node:events";
import { type AddressInfo, createServer, connect as dial, type Socket } from "node:net";

export async function startGateway(target: number) {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = dial({ port: target, host: "127.0.0.1" });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      const end = () => {
        client.destroy();
        upstream.destroy();
        sockets.delete(socket);
      };
      socket.on("close", end).on("error", end);
    }
    client.pipe(upstream).pipe(client);
  });
  const listen = async (port: number) => {
    await once(server.listen(port, "127.0.0.1"), "listening");
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const goDown = async () => {
    const closed = once(server, "close");
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    goDown,
    comeBack: () => listen(port),
    close: () => (server.listening ? goDown() : Promise.resolve()),
  };
}
