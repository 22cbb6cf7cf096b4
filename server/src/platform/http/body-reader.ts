// Reads the body of a request into one buffer. The chunks of a large body are released as they are copied.

import type { Readable } from "node:stream";
import { errorCodes, type FastifyError, type FastifyRequest } from "fastify";
import { limits } from "../limits/index.ts";
import { Refusal } from "../refusals/index.ts";
import { bodiesAreFull, chargeBody, isLargeBody, releaseBody } from "./body-gate.ts";
import { isPlainUtf8 } from "./content.ts";
import { releaseBuffer } from "./release-buffer.ts";

type Done = (error: Error | null, body?: Buffer) => void;

export function readBody(request: FastifyRequest, payload: Readable, done: Done): void {
  const { headers, routeOptions } = request;
  const most = routeOptions.bodyLimit ?? limits.bodyBytesMax;
  const { "content-length": length } = headers;
  const announced = length === undefined ? undefined : Number(length);
  if (announced !== undefined && announced > most) {
    done(tooLarge());
    return;
  }

  const isLarge = isLargeBody(headers);
  const whole = isLarge && announced !== undefined ? Buffer.allocUnsafeSlow(announced) : undefined;
  const chunks: Buffer[] = [];
  let received = 0;

  function take(chunk: Buffer): void {
    const start = received;
    received += chunk.length;
    if (received > most) {
      stop();
      for (const read of chunks) releaseBuffer(read);
      payload.on("data", releaseBuffer);
      done(tooLarge());
    } else if (!chargeBody(request, chunk.length)) {
      stop();
      payload.pause();
      for (const read of [...chunks, chunk, ...(whole ? [whole] : [])]) releaseBuffer(read);
      releaseBody(request);
      // Late, as all refusals for a lack of memory: a caller may ignore Retry-After.
      setTimeout(() => {
        payload.on("data", releaseBuffer).resume();
        done(bodiesAreFull());
      }, limits.largeBodyRefusalMs).unref();
    } else if (whole) {
      chunk.copy(whole, start);
      releaseBuffer(chunk);
    } else {
      chunks.push(chunk);
    }
  }

  function finish(error?: Partial<FastifyError>): void {
    stop();
    if (error) done(Object.assign(error as Error, { statusCode: error.statusCode ?? 400 }));
    else if (announced !== undefined && received !== announced) done(incomplete());
    else if (isPlainUtf8(headers)) done(null, assemble());
    else done(new Refusal("SYST105"));
  }

  function assemble(): Buffer {
    if (whole) return whole;
    const [only] = chunks;
    if (only && chunks.length === 1 && !isLarge) return only;
    const body = Buffer.concat(chunks, received);
    if (isLarge) for (const chunk of chunks) releaseBuffer(chunk);
    return body;
  }

  function stop(): void {
    payload.off("data", take);
    payload.off("end", finish);
    payload.off("error", finish);
  }

  payload.on("data", take);
  payload.on("end", finish);
  payload.on("error", finish);
  payload.resume();
}

const tooLarge = () => new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
const incomplete = () => new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH();
