// The URL of the console: the configured one, or this machine at the port that it listens on.

import type { Api } from "../../../platform/http/index.ts";

type ConsoleAddress = { url(): string; origins(): string[] };

/** Without a configured URL the console accepts only this machine's own names. */
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
