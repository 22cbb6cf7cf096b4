// Signed requests on kept-alive connections, one after the other, until the load is stopped.

import { openWire, type RawAnswer, requestBytes, type Wire } from "./raw-http.ts";
import { ada, sign } from "./service.ts";

type Credentials = { key: string; secret: string };

export function signed(
  { key, secret }: Credentials,
  method: string,
  path: string,
  body?: string,
): Buffer {
  const signature = sign({ key, secret, method, path, ...(body && { body }), version: 2 });
  return requestBytes({
    method,
    path,
    headers: [
      ["x-api-key", key],
      ["signature", signature],
      ...(body ? [["content-type", "application/json"] as const] : []),
    ],
    ...(body && { body }),
  });
}

export const closes = (answer: RawAnswer) => answer.headers.get("connection") === "close";

export type SteadyLoad = {
  answered: number;
  /** Requests without a whole response. */
  cut: string[];
  statuses: Set<number>;
  /** Receivers whose creation was acknowledged. */
  created: string[];
  /** Resolves when every request that was sent has its response. */
  stop(): Promise<void>;
  /** Goes on until the service has closed each connection, and opens none again. */
  untilClosed(): Promise<void>;
};

/** Half of the connections create receivers, the others list them. A connection that was closed is opened again. */
export function startSteadyLoad(
  port: number,
  caller: Credentials,
  connections: number,
): SteadyLoad {
  let isStopped = false;
  let isLast = false;
  const load: SteadyLoad = {
    answered: 0,
    cut: [],
    statuses: new Set(),
    created: [],
    async stop() {
      isStopped = true;
      await Promise.all(running);
    },
    async untilClosed() {
      isLast = true;
      await Promise.all(running);
    },
  };

  async function ask(wire: Wire, isCreate: boolean): Promise<RawAnswer> {
    wire.write(
      isCreate
        ? signed(caller, "POST", "/api/receiver", JSON.stringify(ada()))
        : signed(caller, "GET", "/api/receiver?limit=20"),
    );
    const answer = await wire.answer();
    if (!answer) throw new Error("closed without an answer");
    load.answered += 1;
    load.statuses.add(answer.status);
    if (isCreate) load.created.push(JSON.parse(answer.text).payload.receiver_id);
    return answer;
  }

  async function run(isCreate: boolean): Promise<void> {
    let wire: Wire | undefined;
    while (!isStopped) {
      try {
        wire ??= await openWire(port);
        if (!closes(await ask(wire, isCreate))) continue;
      } catch (error) {
        load.cut.push(String(error));
      }
      wire?.socket.destroy();
      wire = undefined;
      if (isLast) return;
    }
    wire?.socket.destroy();
  }

  const running = Array.from({ length: connections }, (_, index) => run(index % 2 === 0));
  return load;
}
