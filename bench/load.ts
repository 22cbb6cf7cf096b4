// The load: keep-alive connections with one request in flight each. It shares the machine with the measured service,
// so it does as little as possible: plain sockets, requests built beforehand, responses only counted.

import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type Answer, answerReader } from "./answer-reader.ts";

type Load = {
  port: number;
  connections: number;
  durationMs: number;
  requests: readonly Buffer[];
  /** Starts again from the first request after the last. Otherwise the round ends with the last. */
  repeat: boolean;
};

export type Round = { perSecond: number; p50Ms: number; p99Ms: number; answers: number };

const stuckMs = 15_000;
const readBytesMax = 64 * 1024;
const answersMax = 1_000_000;

/** One round. Fails when a response is not 200, or when a connection breaks or stays silent. */
export async function runLoad(load: Load): Promise<Round> {
  const { port, connections, durationMs, requests, repeat } = load;
  const latenciesMs = new Float32Array(answersMax);
  let answered = 0;
  let sent = 0;

  const { promise: finished, resolve, reject } = Promise.withResolvers<void>();
  const sockets: Socket[] = [];
  const starts: (() => void)[] = [];
  let active = connections;
  let endMs = Number.POSITIVE_INFINITY;

  for (let index = 0; index < connections; index++) {
    let sentAtMs = 0;
    const send = () => {
      const request = requests[repeat ? sent % requests.length : sent];
      if (request === undefined) return rest();
      sent += 1;
      sentAtMs = performance.now();
      socket.write(request);
    };
    const rest = () => {
      active -= 1;
      if (active === 0) resolve();
    };
    const onAnswer = ({ status, text }: Answer) => {
      if (status !== 200) return reject(new Error(`answered with ${status}: ${text}`));
      const nowMs = performance.now();
      latenciesMs[answered++] = nowMs - sentAtMs;
      if (nowMs < endMs && answered < answersMax) send();
      else rest();
    };
    const read = answerReader(onAnswer);
    const buffer = Buffer.allocUnsafe(readBytesMax);
    const socket = connect({
      host: "127.0.0.1",
      port,
      noDelay: true,
      onread: {
        buffer,
        callback: (bytes) => {
          read(buffer, bytes);
          return true;
        },
      },
    });
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the server closed a connection")));
    sockets.push(socket);
    starts.push(send);
  }

  const stuck = setTimeout(() => reject(new Error("no answer for too long")), durationMs + stuckMs);
  try {
    await Promise.race([Promise.all(sockets.map((socket) => once(socket, "connect"))), finished]);
    const startMs = performance.now();
    endMs = startMs + durationMs;
    for (const start of starts) start();
    await finished;
    const perSecond = (answered * 1000) / (performance.now() - startMs);
    const sorted = latenciesMs.subarray(0, answered).sort();
    const at = (share: number) => sorted[Math.floor(answered * share)] as number;
    return { perSecond, p50Ms: at(0.5), p99Ms: at(0.99), answers: answered };
  } finally {
    clearTimeout(stuck);
    for (const socket of sockets) socket.removeAllListeners("close").destroy();
  }
}
