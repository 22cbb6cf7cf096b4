// Checks before a large body is read: the key and the signature may be valid, and there is memory for the body.

import type { IncomingHttpHeaders } from "node:http";
import { errorCodes, type FastifyReply, type FastifyRequest } from "fastify";
import type { Scope } from "../base/index.ts";
import { limits } from "../limits/index.ts";
import { Refusal } from "../refusals/index.ts";
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
  /** Who is signed in; undefined for everybody else. */
  userOf: (request: FastifyRequest) => string | undefined;
};

type BodyShare = {
  /** Counts bytes of a large body that have arrived; false where there is no memory for them. */
  charge: (bytes: number) => boolean;
  release: () => void;
};
const shares = new WeakMap<FastifyRequest, BodyShare>();

export function chargeBody(request: FastifyRequest, bytes: number): boolean {
  return shares.get(request)?.charge(bytes) ?? true;
}

/** A body that is refused makes room for the others at once. Otherwise all that arrive together could be refused. */
export function releaseBody(request: FastifyRequest): void {
  shares.get(request)?.release();
}

export const bodiesAreFull = () => new Refusal("SYST109", { headers: { "retry-after": "1" } });

/** For `preParsing` of a route that takes a body. */
export function bodyGate({ admit, userOf }: BodyGateParts) {
  const buffers = new BodyBuffers();

  async function pass(request: FastifyRequest, reply: FastifyReply) {
    const { headers, routeOptions } = request;
    const { scope, open } = routeOptions.config;
    // The caller is not known yet, and has no share of the memory.
    if (open) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
    if (scope) await admit(request, scope);
    const most = routeOptions.bodyLimit ?? limits.bodyBytesMax;
    const bytes = expectedBytes(headers);
    // Fastify refuses what is longer than its route allows before it reads anything.
    if (Number.isFinite(bytes) && bytes > most) return discardBody(request, reply);
    const user = scope ? headers["x-api-key"] : userOf(request);
    const share = user ? `${scope ? "key" : "user"} ${user}` : `${routeOptions.url} ${request.ip}`;
    const opened = buffers.open(share, user !== undefined);
    shares.set(request, opened);
    // Refused before it is sent, where it can't fit.
    if (!buffers.hasRoom(share)) throw bodiesAreFull();
    const { raw } = reply;
    raw.once("close", () => {
      opened.release();
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

/** A user of the console has room for one whole file to import, every other share a quarter of the memory. */
function shareMax(share: string): number {
  return limits.bodiesBufferedBytesMax / (share.startsWith("user ") ? 2 : 4);
}

/** The bytes of large bodies that have arrived, over all connections of this process. */
class BodyBuffers {
  #taken = 0;
  /** Of callers who have shown neither a key nor a session. */
  #ofStrangers = 0;
  readonly #ofShares = new Map<string, number>();

  hasRoom(share: string): boolean {
    const most = limits.bodiesBufferedBytesMax;
    return this.#taken < most && (this.#ofShares.get(share) ?? 0) < shareMax(share);
  }

  /** A share has its most, and all shares of strangers together have a quarter of the memory. */
  open(share: string, isKnown: boolean): BodyShare {
    const most = limits.bodiesBufferedBytesMax;
    let own = 0;
    const add = (bytes: number) => {
      own += bytes;
      this.#taken += bytes;
      if (!isKnown) this.#ofStrangers += bytes;
      const ofShare = (this.#ofShares.get(share) ?? 0) + bytes;
      if (ofShare > 0) this.#ofShares.set(share, ofShare);
      else this.#ofShares.delete(share);
    };
    return {
      charge: (bytes) => {
        const isFull =
          this.#taken + bytes > most ||
          (this.#ofShares.get(share) ?? 0) + bytes > shareMax(share) ||
          (!isKnown && this.#ofStrangers + bytes > most / 4);
        if (!isFull) add(bytes);
        return !isFull;
      },
      release: () => add(-own),
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
