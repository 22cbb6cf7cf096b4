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

/**
 * Passes bytes on, and cuts three of ten requests: one before the service gets it, one before the first byte of the
 * response, and one within the response. Never two in a row.
 */
export async function startLossyProxy(port: number): Promise<{ url: string; cuts: () => number }> {
  const fates: ("lost" | "unanswered" | "halved" | undefined)[] = Array(10);
  [fates[0], fates[3], fates[6]] = ["lost", "unanswered", "halved"];
  let requests = 0;
  let cuts = 0;
  const server = createServer((client) => {
    const upstream = dial({ port, host: "127.0.0.1" });
    let fate: (typeof fates)[number];
    const cut = () => [client, upstream].map((socket) => socket.destroy());
    const cutByFate = () => {
      cuts += 1;
      cut();
    };
    client.on("data", (chunk: Buffer) => {
      if (/^(GET|POST|PATCH|DELETE) /.test(chunk.toString("latin1"))) {
        fate = fates[requests % fates.length];
        requests += 1;
      }
      if (fate === "lost") cutByFate();
      else upstream.write(chunk);
    });
    upstream.on("data", (chunk: Buffer) => {
      if (fate === "unanswered") cutByFate();
      else if (fate === "halved") client.write(chunk.subarray(0, chunk.length / 2), cutByFate);
      else client.write(chunk);
    });
    for (const socket of [client, upstream]) socket.on("close", cut).on("error", cut);
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, cuts: () => cuts };
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
