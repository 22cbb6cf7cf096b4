// A fetch for clients that distinguishes a connection that was never accepted from one that was cut off.

import { type Agent, request } from "node:http";

/** The error that broke a call. */
export type Broken = NodeJS.ErrnoException & {
  /** The process never accepted the connection, so it has not seen the call. */
  isUntaken: boolean;
};

/** The agent keeps the connections alive and reuses them. */
export function fetchBy(agent: Agent): typeof fetch {
  return (address, { method = "GET", headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const options = { method, headers: Object.fromEntries(new Headers(headers)), agent };
      const call = request(String(address), { ...options, ...(signal && { signal }) });
      const fail = (error: NodeJS.ErrnoException) => {
        const isReset = error.code === "ECONNRESET" && !call.reusedSocket;
        const isUntaken = error.code === "ECONNREFUSED" || isReset;
        reject(new TypeError("fetch failed", { cause: Object.assign(error, { isUntaken }) }));
      };
      call.on("error", fail);
      call.on("response", (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("error", fail);
        answer.on("end", () => {
          const headers = Object.entries(answer.headers).map(([name, value]) => [name, `${value}`]);
          const status = answer.statusCode as number;
          resolve(
            new Response(Buffer.concat(chunks), { status, headers: headers as [string, string][] }),
          );
        });
      });
      call.end(body as string | undefined);
    });
}
