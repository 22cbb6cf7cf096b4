// Checks before a large body is read: the key and the signature may be valid, and there is memory for the body.

import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Scope } from "../caller.ts";
import { limits } from "../limits.ts";
import { Refusal } from "../refusals/refusals.ts";
import { releaseBuffer } from "./release-buffer.ts";

/** Bodies up to `smallBodyBytes` are read without these checks: there are never enough connections to fill memory. */
export function isLargeBody(headers: IncomingHttpHeaders): boolean {
  return expectedBytes(headers) > limits.smallBodyBytes;
}

/** A body without a length may be as long as its route allows. */
function expectedBytes(headers: IncomingHttpHeaders): number {
  if (headers["transfer-encoding"] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers["content-length"] ?? 0);
}

type BodyGateParts = {
  /** Throws when the request fails whatever its body is. */
  admit: (request: FastifyRequest, scope: Scope) => void | Promise<void>;
};

/** For `preParsing` of a route that takes a body. */
export function bodyGate({ admit }: BodyGateParts) {
  const buffers = new BodyBuffers();

  async function pass(request: FastifyRequest, reply: FastifyReply) {
    const { headers, routeOptions } = request;
    const { scope } = routeOptions.config;
    if (scope) await admit(request, scope);
    const most = routeOptions.bodyLimit ?? limits.bodyBytesMax;
    const bytes = expectedBytes(headers);
    // Fastify refuses what is longer than its route allows before it reads anything.
    if (Number.isFinite(bytes) && bytes > most) return discardBody(request, reply);
    const key = scope ? String(headers["x-api-key"]) : "";
    const release = buffers.take(key, Math.min(bytes, most));
    const { raw } = reply;
    raw.once("close", () => {
      release();
      // The body is still bytes when its signature was wrong.
      if (raw.writableFinished && request.body instanceof Buffer) releaseBuffer(request.body);
    });
  }

  return (
    request: FastifyRequest,
    reply: FastifyReply,
    _payload: unknown,
    done: (error?: Error | null) => void,
  ): void => {
    if (!isLargeBody(request.headers)) {
      done();
      return;
    }
    const refuse = (error: Error) => {
      discardBody(request, reply);
      done(error);
    };
    pass(request, reply).then(
      () => done(),
      (error: Error) => {
        // Wait before the refusal, with the body unread: a caller that ignores Retry-After would otherwise make us read
        // and drop megabytes in a loop.
        const isFull = error instanceof Refusal && error.status === 503;
        if (isFull) setTimeout(refuse, limits.largeBodyRefusalMs, error).unref();
        else refuse(error);
      },
    );
  };
}

/** The bytes of large bodies that are in memory, over all connections of this process. */
class BodyBuffers {
  #taken = 0;
  readonly #ofKeys = new Map<string, number>();

  /** Returns the function that releases the bytes. One key gets at most a quarter of the memory. */
  take(key: string, bytes: number): () => void {
    const ofKey = this.#ofKeys.get(key) ?? 0;
    const isFull = this.#taken + bytes > limits.bodiesBufferedBytesMax;
    if (isFull || ofKey + bytes > limits.bodiesBufferedBytesMax / 4) {
      throw new Refusal("SYST109", { headers: { "retry-after": "1" } });
    }
    this.#taken += bytes;
    this.#ofKeys.set(key, ofKey + bytes);
    return () => {
      this.#taken -= bytes;
      const left = (this.#ofKeys.get(key) ?? 0) - bytes;
      if (left > 0) this.#ofKeys.set(key, left);
      else this.#ofKeys.delete(key);
    };
  }
}

let discarding = 0;

/**
 * Reads and drops the rest of a refused body, so that its sender gets the response and not a broken connection. Only for
 * a few requests at a time and for a short time; beyond that, the connection is closed with the response.
 */
export function discardBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  raw.on("data", releaseBuffer);
  if (discarding >= limits.discardedBodiesMax) {
    reply.header("connection", "close");
    return;
  }
  discarding += 1;
  const { socket } = raw;
  const deadline = setTimeout(() => socket.destroy(), limits.discardedBodyMs);
  let isOver = false;
  const finish = () => {
    if (isOver) return;
    isOver = true;
    clearTimeout(deadline);
    socket.off("close", finish);
    discarding -= 1;
  };
  raw.once("end", finish);
  // An answered request gets no event when its connection closes.
  socket.once("close", finish);
}
