// Records every address that this process tries to connect to by TCP.

import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";

const channel = "net.client.socket";

export function watchConnections(): { addresses: string[]; stop(): void } {
  const addresses: string[] = [];
  const onSocket = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    socket.on("connectionAttempt", (address) => addresses.push(address));
  };
  subscribe(channel, onSocket);
  return { addresses, stop: () => unsubscribe(channel, onSocket) };
}
