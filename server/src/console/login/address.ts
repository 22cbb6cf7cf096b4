// Where the console is opened: the address that was configured, or this machine at the port listened on.

import type { Api } from "../../http/route.ts";

type ConsoleAddress = { url(): string; origins(): string[] };

/** Without a configured address the console is for this machine alone, by any of its own names. */
export function consoleAddress({ server }: Api, configured: string | undefined): ConsoleAddress {
  if (configured !== undefined) {
    const { origin } = new URL(configured);
    return { url: () => origin, origins: () => [origin] };
  }
  const at = (host: string) => {
    const taken = server.address();
    const port = typeof taken === "object" && taken ? taken.port : 0;
    return `http://${host}:${port}`;
  };
  return {
    url: () => at("localhost"),
    origins: () => ["localhost", "127.0.0.1", "[::1]"].map(at),
  };
}
