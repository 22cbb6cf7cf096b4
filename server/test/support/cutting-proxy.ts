// A proxy in front of the service that cuts responses off after the commit, before their first byte.

import { once } from "node:events";
import { type AddressInfo, createServer, connect as dial } from "node:net";
import { onTestFinished } from "vitest";

/** Passes bytes on. Of each key, the first one or two answers are cut off before their first byte. */
export async function startCuttingProxy(port: number): Promise<string> {
  const seen = new Map<string, number>();
  const server = createServer((client) => {
    const upstream = dial({ port, host: "127.0.0.1" });
    let isDoomed = false;
    client.on("data", (chunk: Buffer) => {
      for (const [, key = ""] of chunk.toString("latin1").matchAll(/^idempotency-key: (\S+)/gim)) {
        seen.set(key, (seen.get(key) ?? 0) + 1);
        isDoomed = (seen.get(key) ?? 0) <= 1 + (key.charCodeAt(0) % 2);
      }
      upstream.write(chunk);
    });
    const cut = () => [client, upstream].map((socket) => socket.destroy());
    // When the response starts, the commit is done.
    upstream.on("data", (chunk: Buffer) => (isDoomed ? cut() : client.write(chunk)));
    for (const socket of [client, upstream]) socket.on("close", cut).on("error", cut);
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A fetch that counts its calls, and keeps the replay header of each response. */
export function watchReplays() {
  const replays: (string | null)[] = [];
  let tries = 0;
  return {
    replays,
    tries: () => tries,
    async fetch(...words: Parameters<typeof fetch>) {
      tries += 1;
      const response = await fetch(...words);
      replays.push(response.headers.get("idempotent-replayed"));
      return response;
    },
  };
}
